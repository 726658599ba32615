import type { StreamEvent } from '../../canonical/event.ts';
import type { Usage } from '../../canonical/usage.ts';
import type { SeveralAnswers } from '../../contract/dialect-codec.ts';
import type { Frame } from '../../contract/frame.ts';
import type { ResponseHead } from '../../contract/response-head.ts';

/**
 * Creates the encoder of a stream with one answer, for chat or legacy completions.
 * A stream that fails ends with its error and without the closing frames.
 */
export function createChunkEncoder(
  head: ResponseHead,
  { choiceEncoder, closingFrames }: Pick<SeveralAnswers, 'choiceEncoder' | 'closingFrames'>,
): (event: StreamEvent) => Frame[] {
  const encode = choiceEncoder(head, 0);
  let usage: Usage | undefined;
  return (event) => {
    if (event.type === 'usage') usage = event.usage;
    const frames = encode(event);
    return event.type === 'response-end' ? [...frames, ...closingFrames(head, usage)] : frames;
  };
}
