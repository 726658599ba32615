import type { JsonObject } from '../../../base/json/json-body.ts';
import { listOf, objectOf, textOf } from '../../../base/json/read-json.ts';
import { lookUp } from '../../../base/lib/records.ts';
import type { PartHead } from '../../canonical/event.ts';
import { decodeCitation } from './citation.ts';
import type { DecoderState, OpenItem, OpenPart } from './decoder-state.ts';
import { reasoningText } from './reasoning-text.ts';

type FinishItem = (state: DecoderState, open: OpenItem, item: JsonObject) => void;

/** The key of the only part of an item. */
export const ONLY = -1;

/** Reads finished items. Text that the stream already sent is skipped. */
const finishers: Record<string, FinishItem> = {
  message: finishMessage,
  reasoning: finishReasoning,
  function_call: (state, open, item) => finishCall(state, open, { item, text: item.arguments }),
  custom_tool_call: (state, open, item) => finishCall(state, open, { item, text: item.input }),
};

export function finishItem(state: DecoderState, open: OpenItem, item: JsonObject): void {
  if (open.done) return;
  const finish = lookUp(finishers, textOf(item.type));
  if (finish) finish(state, open, item);
  else state.whole({ kind: 'opaque', issuer: 'responses', block: item });
  for (const part of open.parts.values()) state.end(part);
  open.done = true;
}

function finishMessage(state: DecoderState, open: OpenItem, item: JsonObject): void {
  for (const [index, content] of listOf(item.content).entries())
    finishContent(
      state,
      contentPart(state, open, { index, type: objectOf(content).type }),
      objectOf(content),
    );
}

/** Returns the part of a message's content, and begins it if needed. */
export function contentPart(
  state: DecoderState,
  open: OpenItem,
  { index, type }: { index: number; type: unknown },
): OpenPart {
  const part = open.parts.get(index);
  return part ?? state.openPart(open, index, { kind: type === 'refusal' ? 'refusal' : 'text' });
}

export function finishContent(state: DecoderState, part: OpenPart, content: JsonObject): void {
  state.complete(part, textOf(content.text) ?? textOf(content.refusal));
  for (const annotation of listOf(content.annotations).slice(part.citations))
    state.cite(part, decodeCitation(annotation));
  state.end(part);
}

function finishReasoning(state: DecoderState, open: OpenItem, item: JsonObject): void {
  const { form, text } = reasoningText(item);
  const data = textOf(item.encrypted_content) ?? '';
  const solePart = open.parts.get(ONLY);
  if (solePart === undefined && text === '' && data === '') return; // the item has no visible content
  const part = solePart ?? state.openPart(open, ONLY, { kind: 'thinking', form });
  state.complete(part, text);
  if (data === '') return;
  const itemId = textOf(item.id);
  const replay = { issuer: 'responses' as const, ...(itemId !== undefined && { itemId }), data };
  state.events.push({ type: 'part-delta', index: part.index, delta: { kind: 'replay-token', replay } });
}

function finishCall(
  state: DecoderState,
  open: OpenItem,
  { item, text }: { item: JsonObject; text: unknown },
): void {
  const part = open.parts.get(ONLY) ?? state.openPart(open, ONLY, callHead(item));
  state.complete(part, textOf(text) ?? (text === undefined || text === null ? '' : JSON.stringify(text)));
}

export const isCall = ({ type }: JsonObject): boolean =>
  type === 'function_call' || type === 'custom_tool_call';

export function callHead(item: JsonObject): PartHead {
  const itemId = textOf(item.id);
  const namespace = textOf(item.namespace);
  return {
    kind: 'tool-call',
    callId: textOf(item.call_id) ?? itemId ?? '',
    ...(itemId !== undefined && { itemId }),
    name: textOf(item.name) ?? '',
    ...(namespace !== undefined && namespace !== '' && { namespace }),
    inputKind: item.type === 'custom_tool_call' ? 'freeform' : 'json',
  };
}
