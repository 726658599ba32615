import type { OutputPart, RefusalPart, TextPart, ThinkingPart, ToolCallPart } from '../../canonical/part.ts';
import { encodeCitation } from './citation.ts';
import { packRedacted, packThinking } from './encrypted-content.ts';
import type { View } from './view.ts';

export type ItemStatus = 'in_progress' | 'completed' | 'incomplete';
export type MessagePart = TextPart | RefusalPart;

/** An item's id and status, and the client's view of it. */
export type ItemPlace = { id: string; status: ItemStatus; view: View };

export const isMessagePart = (part: { kind: string }): part is MessagePart =>
  part.kind === 'text' || part.kind === 'refusal';

/**
 * Groups parts into items. Consecutive texts and refusals form one message.
 * Every other part is an item of its own.
 */
export function groupItems(parts: readonly OutputPart[]): OutputPart[][] {
  const groups: OutputPart[][] = [];
  for (const part of parts) {
    const last = groups.at(-1);
    if (last && isMessagePart(part) && isMessagePart(last[0]!)) last.push(part);
    else groups.push([part]);
  }
  return groups;
}

const prefixes = {
  text: 'msg',
  refusal: 'msg',
  thinking: 'rs',
  'redacted-thinking': 'rs',
  opaque: 'item',
} as const;

/** Returns the id prefix of an item. The vendor refuses returned ids with the prefix of another kind. */
const prefixOf = (part: OutputPart): string => {
  if (part.kind !== 'tool-call') return prefixes[part.kind];
  return part.input.kind === 'freeform' ? 'ctc' : 'fc';
};

/**
 * Derives an item's id from the response's id and the item's index. Streams and envelopes then agree without
 * shared state. A client that refers to an item also names its response.
 */
export const itemId = (part: OutputPart, responseId: string, index: number): string =>
  `${prefixOf(part)}_${responseId.replace(/^resp_/, '')}_${index}`;

export function encodeItem(parts: readonly OutputPart[], place: ItemPlace): unknown {
  const part = parts[0]!;
  switch (part.kind) {
    case 'text':
    case 'refusal':
      return encodeMessage(parts.filter(isMessagePart), place);
    case 'thinking':
      return encodeThinking(part, place);
    case 'redacted-thinking':
      return reasoningItem(place, { encrypted_content: packRedacted(part.replay) });
    case 'tool-call':
      return encodeCall(part, place);
    case 'opaque':
      return part.block;
  }
}

const encodeMessage = (parts: readonly MessagePart[], { id, status }: ItemPlace) => ({
  id,
  type: 'message',
  status,
  role: 'assistant',
  content: status === 'in_progress' ? [] : parts.map(encodeContent),
});

export function encodeContent(part: MessagePart) {
  if (part.kind === 'refusal') return { type: 'refusal', refusal: part.text };
  const annotations = (part.citations ?? []).map((citation) => encodeCitation(citation, part.text.length));
  return {
    type: 'output_text',
    text: part.text,
    annotations: annotations.filter((annotation) => annotation !== undefined),
    logprobs: [],
  };
}

/** Returns the list of the reasoning item that shows the thinking. Returns undefined if it is hidden. */
export function thinkingList(form: ThinkingPart['form'], view: View): 'summary' | 'content' | undefined {
  if (!view.showsThinking) return undefined;
  return form === 'summary' || view.asSummary ? 'summary' : 'content';
}

function encodeThinking(part: ThinkingPart, place: ItemPlace) {
  const list = part.text === '' ? undefined : thinkingList(part.form, place.view);
  return reasoningItem(place, {
    ...(list === 'summary' && { summary: [{ type: 'summary_text', text: part.text }] }),
    ...(list === 'content' && { content: [{ type: 'reasoning_text', text: part.text }] }),
    ...(part.replay && { encrypted_content: packThinking(part.replay) }),
  });
}

const reasoningItem = ({ id, status }: ItemPlace, fields: Record<string, unknown>) => ({
  id,
  type: 'reasoning',
  status,
  summary: [],
  ...fields,
});

/** Encodes a call. Its status is `completed` even if the answer was cut, since clients accept no other. */
function encodeCall(call: ToolCallPart, { id, status }: ItemPlace) {
  const named = {
    call_id: call.callId,
    name: call.name,
    ...(call.namespace !== undefined && { namespace: call.namespace }),
  };
  const state = status === 'in_progress' ? status : 'completed';
  return call.input.kind === 'freeform'
    ? { id, type: 'custom_tool_call', status: state, ...named, input: call.input.text }
    : { id, type: 'function_call', status: state, ...named, arguments: call.input.text };
}

/** Returns `{}` for JSON arguments that are empty, which clients could not parse. */
export const missingArguments = ({ input }: ToolCallPart): string =>
  input.kind === 'json' && input.text.trim() === '' ? '{}' : '';
