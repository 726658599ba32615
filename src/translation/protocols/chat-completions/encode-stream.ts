import type { StreamEvent } from '../../canonical/event.ts';
import type { Usage } from '../../canonical/usage.ts';
import type { Frame, ResponseHead } from '../../contract/codec.ts';
import { formatUsage } from '../openai/openai-usage.ts';
import { chunkFrame, wantsUsage } from './completion-envelope.ts';
import { createChoiceEncoder } from './create-choice-encoder.ts';

/** Creates the encoder of one stream. A stream that fails ends with its error and without `[DONE]`. */
export function createStreamEncoder(head: ResponseHead): (event: StreamEvent) => Frame[] {
  const encode = createChoiceEncoder(head);
  let usage: Usage | undefined;
  return (event) => {
    if (event.type === 'usage') usage = event.usage;
    const frames = encode(event);
    return event.type === 'response-end' ? [...frames, ...closingFrames(head, usage)] : frames;
  };
}

/** Returns the frames after the last choice: the usage, if the client asked for it, and `[DONE]`. */
export const closingFrames = (head: ResponseHead, usage: Usage | undefined): Frame[] => [
  ...(wantsUsage(head) ? [chunkFrame(head, [], formatUsage(usage))] : []),
  { data: '[DONE]' },
];
