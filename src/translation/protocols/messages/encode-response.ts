import type { CanonicalResponse, Stop } from '../../canonical/event.ts';
import type { Usage } from '../../canonical/usage.ts';
import type { ResponseHead } from '../../contract/response-head.ts';
import { withAnswerLast } from './answer-order.ts';
import type { Block } from './block.ts';
import { encodeAnswerPart } from './encode-answer-part.ts';
import { encodeStop } from './stop.ts';
import { thinkingView } from './thinking-view.ts';
import { encodeUsage } from './usage.ts';

type Message = { content: Block[]; stop?: Stop | undefined; usage?: Usage | undefined };

/** Encodes a message with every field of the vendor's types. `stop` is undefined in the opening event. */
export function encodeMessage({ responseId, model }: ResponseHead, { content, stop, usage }: Message) {
  const hasCalls = content.some(({ type }) => type === 'tool_use');
  return {
    id: responseId,
    type: 'message' as const,
    role: 'assistant' as const,
    model,
    content,
    ...(stop ? encodeStop(stop, hasCalls) : { stop_reason: null, stop_sequence: null, stop_details: null }),
    container: null,
    diagnostics: null,
    usage: encodeUsage(usage),
  };
}

/** Encodes a whole message, with the answer as its last block. */
export function encodeResponse({ parts, stop, usage }: CanonicalResponse, head: ResponseHead): unknown {
  const view = thinkingView(head.request);
  const content = withAnswerLast(parts.flatMap((part) => encodeAnswerPart(part, view)));
  return encodeMessage(head, { content, stop, usage });
}
