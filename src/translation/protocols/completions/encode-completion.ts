import { errorEnvelope } from '../../../base/errors/envelope.ts';
import type { CanonicalResponse, StreamEvent } from '../../canonical/event.ts';
import type { Usage } from '../../canonical/usage.ts';
import type { Frame, ResponseHead } from '../../contract/codec.ts';
import { formatUsage } from '../openai/openai-usage.ts';
import { wantsUsage } from '../openai/patch-openai-request.ts';
import type { CompletionsRequest } from './request-schema.ts';
import { type CompletionFinishReason, formatStop } from './stop.ts';

const envelope = ({ responseId, createdAt, model }: ResponseHead) => ({
  id: responseId,
  object: 'text_completion',
  created: createdAt,
  model,
});

/** Returns the prompt, if the client asked for it in front of the answer. */
function echoed({ body, request }: ResponseHead): string {
  const [part] = (body.value as CompletionsRequest).echo === true ? (request.turns[0]?.parts ?? []) : [];
  return part?.kind === 'text' ? part.text : '';
}

/** Returns the text of the answer. Refusals are text in this protocol, and thinking is not shown. */
const answerTextOf = (parts: CanonicalResponse['parts']): string =>
  parts.map((part) => (part.kind === 'text' || part.kind === 'refusal' ? part.text : '')).join('');

export function encodeResponse({ parts, stop, usage }: CanonicalResponse, head: ResponseHead) {
  const choice = {
    text: echoed(head) + answerTextOf(parts),
    index: 0,
    logprobs: null,
    finish_reason: formatStop[stop.kind],
  };
  return { ...envelope(head), choices: [choice], usage: formatUsage(usage) };
}

/** Creates the encoder for the chunks of one answer. */
export function createChoiceEncoder(head: ResponseHead, index = 0): (event: StreamEvent) => Frame[] {
  const nullUsage = wantsUsage(head.body.value) ? { usage: null } : {};
  const chunk = (text: string, finish_reason: CompletionFinishReason | null): Frame => ({
    data: JSON.stringify({
      ...envelope(head),
      choices: [{ text, index, logprobs: null, finish_reason }],
      ...nullUsage,
    }),
  });
  const say = (text: string): Frame[] => (text === '' ? [] : [chunk(text, null)]);
  return (event) => {
    switch (event.type) {
      case 'response-start':
        return say(echoed(head));
      case 'part-delta':
        return event.delta.kind === 'text' || event.delta.kind === 'refusal' ? say(event.delta.text) : [];
      case 'response-end':
        return [chunk('', formatStop[event.stop.kind])];
      case 'response-error':
        return [{ data: JSON.stringify(errorEnvelope('openai', event.refusal)) }];
      default:
        return [];
    }
  };
}

/** Returns the frames after the last answer: the usage, if the client asked for it, and `[DONE]`. */
export function closingFrames(head: ResponseHead, usage: Usage | undefined): Frame[] {
  const last = { ...envelope(head), choices: [], usage: formatUsage(usage) };
  const counted = wantsUsage(head.body.value) ? [{ data: JSON.stringify(last) }] : [];
  return [...counted, { data: '[DONE]' }];
}

export function createStreamEncoder(head: ResponseHead): (event: StreamEvent) => Frame[] {
  const encode = createChoiceEncoder(head);
  let usage: Usage | undefined;
  return (event) => {
    if (event.type === 'usage') usage = event.usage;
    const frames = encode(event);
    return event.type === 'response-end' ? [...frames, ...closingFrames(head, usage)] : frames;
  };
}
