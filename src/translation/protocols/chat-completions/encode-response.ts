import type { CanonicalResponse } from '../../canonical/event.ts';
import type { OutputPart, ToolCallPart } from '../../canonical/part.ts';
import type { ResponseHead } from '../../contract/response-head.ts';
import { formatUsage } from '../openai/openai-usage.ts';
import { type Annotation, formatAnnotation } from './annotation.ts';
import { formatSignature } from './call-signature.ts';
import { envelope, wantsFunctionCall } from './completion-envelope.ts';
import { joinTexts } from './join-texts.ts';
import { formatRedacted, formatThoughtToken } from './reasoning-details.ts';
import { formatStop } from './stop.ts';

/** Encodes a whole answer. Clients that use `functions` get only its first call. */
export function encodeResponse({ parts, stop, usage }: CanonicalResponse, head: ResponseHead) {
  const calls = parts.filter((part) => part.kind === 'tool-call');
  const [firstCall] = calls;
  const legacyCall = wantsFunctionCall(head) ? firstCall : undefined;
  const text = joinTexts(parts, 'text');
  const refusal = joinTexts(parts, 'refusal');
  const finish = formatStop(stop, { calls: calls.length > 0, refusal: refusal !== '' });
  const message = {
    role: 'assistant' as const,
    content: text === '' && (firstCall || refusal !== '') ? null : text,
    ...(head.request.thinking?.visible === true && thinkingFields(parts)),
    refusal: refusal === '' ? null : refusal,
    annotations: annotationsOf(parts),
    ...(legacyCall && { function_call: functionOf(legacyCall) }),
    ...(firstCall && !legacyCall && { tool_calls: calls.map(formatCall) }),
  };
  const finish_reason = legacyCall && finish === 'tool_calls' ? ('function_call' as const) : finish;
  return {
    ...envelope(head, 'chat.completion'),
    choices: [{ index: 0, message, logprobs: null, finish_reason }],
    usage: formatUsage(usage),
  };
}

const functionOf = ({ name, input }: ToolCallPart) => ({ name, arguments: input.text || '{}' });

function formatCall(call: ToolCallPart) {
  const callee =
    call.input.kind === 'json'
      ? { type: 'function' as const, function: functionOf(call) }
      : { type: 'custom' as const, custom: { name: call.name, input: call.input.text } };
  return { id: call.callId, ...callee, ...(call.replay && formatSignature(call.replay)) };
}

/** Returns the thinking of an answer, and the tokens that a later turn needs. */
function thinkingFields(parts: readonly OutputPart[]) {
  const details: object[] = [];
  let text = '';
  for (const part of parts) {
    if (part.kind === 'redacted-thinking') details.push(formatRedacted(part.replay));
    if (part.kind !== 'thinking') continue;
    const start = text.length;
    text += part.text;
    const detail = part.replay && formatThoughtToken(part.replay, { start, end: text.length });
    if (detail) details.push(detail);
  }
  return {
    ...(text !== '' && { reasoning_content: text }),
    ...(details.length > 0 && { reasoning_details: details }),
  };
}

/** Returns the sources of an answer. Each text has its place in the content, which joins all texts. */
function annotationsOf(parts: readonly OutputPart[]): Annotation[] {
  let end = 0;
  return parts.flatMap((part) => {
    if (part.kind !== 'text') return [];
    const place = { start: end, end: end + part.text.length };
    end = place.end;
    return (part.citations ?? []).flatMap((citation) => formatAnnotation(citation, place) ?? []);
  });
}
