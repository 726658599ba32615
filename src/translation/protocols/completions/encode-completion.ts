import { errorEnvelope } from '../../../base/errors/envelope.ts';
import type { CanonicalResponse, StreamEvent } from '../../canonical/event.ts';
import type { Usage } from '../../canonical/usage.ts';
import type { Frame } from '../../contract/frame.ts';
import type { ResponseHead } from '../../contract/response-head.ts';
import { finishReasons } from '../openai/finish-reasons.ts';
import { formatUsage } from '../openai/openai-usage.ts';
import { wantsUsage } from '../openai/patch-openai-request.ts';
import type { CompletionsRequest } from './request-schema.ts';
import type { CompletionFinishReason } from './stop.ts';

const envelope = ({ responseId, createdAt, model }: ResponseHead) => ({
  id: responseId,
  object: 'text_completion',
  created: createdAt,
  model,
});

/** Returns the prompt if the client asked for it in front of the answer, otherwise an empty text. */
function echoedPrompt({ body, request }: ResponseHead): string {
  const { echo } = body.value as CompletionsRequest; // has passed the check of a request
  const prompt = request.turns[0]?.parts[0];
  return echo === true && prompt?.kind === 'text' ? prompt.text : '';
}

/** Returns the text of the answer. Refusals are text in this protocol, and thinking is not shown. */
const answerTextOf = (parts: CanonicalResponse['parts']): string =>
  parts.map((part) => (part.kind === 'text' || part.kind === 'refusal' ? part.text : '')).join('');

/** Encodes a whole answer. A request for several answers is split, so there is one choice. */
export function encodeResponse({ parts, stop, usage }: CanonicalResponse, head: ResponseHead) {
  const choice = {
    text: echoedPrompt(head) + answerTextOf(parts),
    index: 0,
    logprobs: null,
    finish_reason: finishReasons[stop.kind],
  };
  return { ...envelope(head), choices: [choice], usage: formatUsage(usage) };
}

/** Creates the encoder for the chunks of one answer, whose number is the index. */
export function createChoiceEncoder(head: ResponseHead, index: number): (event: StreamEvent) => Frame[] {
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
        return say(echoedPrompt(head));
      case 'part-delta':
        return event.delta.kind === 'text' || event.delta.kind === 'refusal' ? say(event.delta.text) : [];
      case 'response-end':
        return [chunk('', finishReasons[event.stop.kind])];
      case 'response-error':
        return [{ data: JSON.stringify(errorEnvelope('openai', event.refusal)) }];
      default:
        return [];
    }
  };
}

/** Returns the frames after the last answer: the usage, if the client asked for it, and `[DONE]`. */
export function closingFrames(head: ResponseHead, usage: Usage | undefined): Frame[] {
  const done = { data: '[DONE]' };
  if (!wantsUsage(head.body.value)) return [done];
  const last = { ...envelope(head), choices: [], usage: formatUsage(usage) };
  return [{ data: JSON.stringify(last) }, done];
}
