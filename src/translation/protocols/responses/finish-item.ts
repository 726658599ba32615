import type { JsonObject } from '../../../base/json/json-body.ts';
import { listOf, objectOf, textOf } from '../../../base/json/read-json.ts';
import { lookUp } from '../../../base/lib/records.ts';
import { callHead } from './call-head.ts';
import { decodeCitation } from './citation.ts';
import { type DecoderState, type OpenItem, type OpenPart, SOLE_PART } from './decoder-state.ts';
import { reasoningText } from './reasoning-text.ts';

type FinishItem = (state: DecoderState, open: OpenItem, item: JsonObject) => void;

/** Readers of finished items. They skip text that the stream has sent already. */
const finishers: Readonly<Record<string, FinishItem>> = {
  message: finishMessage,
  reasoning: finishReasoning,
  function_call: (state, open, item) => finishCall(state, open, { item, text: item.arguments }),
  custom_tool_call: (state, open, item) => finishCall(state, open, { item, text: item.input }),
};

/** Ends an item. Passes on the content that its deltas have left out. */
export function finishItem(state: DecoderState, open: OpenItem, item: JsonObject): void {
  if (open.isDone) return;
  const finish = lookUp(finishers, textOf(item.type));
  if (finish) finish(state, open, item);
  else state.events.addPart({ kind: 'opaque', issuer: 'responses', block: item });
  for (const part of open.parts.values()) state.end(part);
  open.isDone = true;
}

function finishMessage(state: DecoderState, open: OpenItem, item: JsonObject): void {
  for (const [index, content] of listOf(item.content).map(objectOf).entries())
    finishContent(state, contentPart(state, open, { index, type: content.type }), content);
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

/** Ends a content. Passes on what its deltas have left out. */
export function finishContent(state: DecoderState, part: OpenPart, content: JsonObject): void {
  state.complete(part, textOf(content.text) ?? textOf(content.refusal));
  for (const annotation of listOf(content.annotations).slice(part.citations))
    state.cite(part, decodeCitation(annotation));
  state.end(part);
}

function finishReasoning(state: DecoderState, open: OpenItem, item: JsonObject): void {
  const { form, text } = reasoningText(item);
  const data = textOf(item.encrypted_content) ?? '';
  const solePart = open.parts.get(SOLE_PART);
  if (solePart === undefined && text === '' && data === '') return; // the item has no visible content
  const part = solePart ?? state.openPart(open, SOLE_PART, { kind: 'thinking', form });
  state.complete(part, text);
  if (data === '') return;
  const itemId = textOf(item.id);
  const replay = { issuer: 'responses' as const, ...(itemId !== undefined && { itemId }), data };
  state.events.growPart(part.index, { kind: 'replay-token', replay });
}

function finishCall(
  state: DecoderState,
  open: OpenItem,
  { item, text }: { item: JsonObject; text: unknown },
): void {
  const part = open.parts.get(SOLE_PART) ?? state.openPart(open, SOLE_PART, callHead(item));
  state.complete(part, textOf(text) ?? (text === undefined || text === null ? '' : JSON.stringify(text)));
}
