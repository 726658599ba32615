import type { CanonicalResponse } from '../../canonical/event.ts';
import type { OutputPart, ToolCallPart } from '../../canonical/part.ts';
import type { ResponseHead } from '../../contract/codec.ts';
import { formatUsage } from '../openai/openai-usage.ts';
import { type Annotation, formatAnnotation } from './annotation.ts';
import { formatSignature } from './call-signature.ts';
import { envelope, wantsFunctionCall } from './completion-envelope.ts';
import { formatRedacted, formatThoughtToken } from './reasoning-details.ts';
import { formatStop } from './stop.ts';

export type ChatCompletion = ReturnType<typeof encodeResponse>;

export function encodeResponse(response: CanonicalResponse, head: ResponseHead) {
  const { parts, stop, usage } = response;
  const calls = parts.filter((part) => part.kind === 'tool-call');
  const refusal = textOf(parts, 'refusal');
  const finish = formatStop(stop, { calls: calls.length > 0, refusal: refusal !== '' });
  const isLegacy = wantsFunctionCall(head) && calls.length > 0;
  const content = textOf(parts, 'text');
  const message = {
    role: 'assistant' as const,
    content: content === '' && (calls.length > 0 || refusal !== '') ? null : content,
    ...(head.request.thinking?.visible === true && thinkingFields(parts)),
    refusal: refusal === '' ? null : refusal,
    annotations: annotationsOf(parts),
    ...(isLegacy && { function_call: functionOf(calls[0]!) }),
    ...(!isLegacy && calls.length > 0 && { tool_calls: calls.map(formatCall) }),
  };
  const finish_reason = isLegacy && finish === 'tool_calls' ? ('function_call' as const) : finish;
  return {
    ...envelope(head, 'chat.completion'),
    choices: [{ index: 0, message, logprobs: null, finish_reason }],
    usage: formatUsage(usage),
  };
}

const textOf = (parts: readonly OutputPart[], kind: 'text' | 'refusal' | 'thinking'): string =>
  parts.map((part) => (part.kind === kind ? part.text : '')).join('');

const functionOf = ({ name, input }: ToolCallPart) => ({ name, arguments: input.text || '{}' });

function formatCall(call: ToolCallPart) {
  const callee =
    call.input.kind === 'json'
      ? { type: 'function' as const, function: functionOf(call) }
      : { type: 'custom' as const, custom: { name: call.name, input: call.input.text } };
  return { id: call.callId, ...callee, ...(call.replay && formatSignature(call.replay)) };
}

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

function annotationsOf(parts: readonly OutputPart[]): Annotation[] {
  let end = 0;
  return parts.flatMap((part) => {
    if (part.kind !== 'text') return [];
    const place = { start: end, end: end + part.text.length };
    end = place.end;
    return (part.citations ?? []).flatMap((citation) => formatAnnotation(citation, place) ?? []);
  });
}
