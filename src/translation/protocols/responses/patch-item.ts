import type { JsonObject } from '../../../base/json/json-body.ts';
import { jsonList } from '../../../base/json/json-list.ts';
import { type JsonPatch, patchText } from '../../../base/json/patch-json.ts';
import { listOf, objectOf } from '../../../base/json/read-json.ts';
import { elementsOf } from '../../../base/json/slice-json.ts';
import type { View } from './view.ts';

/** The members of a view that decide what an item that is passed on shows. */
export type ReasoningView = Pick<View, 'showsThinking' | 'showsEncrypted'>;

/** Patches an output item's own text. Reasoning that the client did not ask for is removed. */
export function patchItem(text: string, item: JsonObject, view: ReasoningView): string {
  const patch = reasoningPatch(item, view);
  return patch === undefined ? text : patchText(text, patch);
}

/** The output of a response: its own text, its parsed items, and the status of the response. */
type SentOutput = { text: string; items: readonly unknown[]; status: unknown };

/** Patches each item, and adds required members of messages. Returns undefined if nothing changes. */
export function patchOutput({ text, items, status }: SentOutput, view: ReasoningView): string | undefined {
  const patches = items.map((sent, index) => {
    const item = objectOf(sent);
    const isCut = status === 'incomplete' && index === items.length - 1;
    return reasoningPatch(item, view) ?? missingMembers(item, isCut ? 'incomplete' : 'completed');
  });
  if (patches.every((patch) => patch === undefined)) return undefined;
  return jsonList(
    elementsOf(text).map((item, index) => {
      const patch = patches[index];
      return patch === undefined ? item : patchText(item, patch);
    }),
  );
}

/** Returns the required members that a message lacks. `endStatus`: its status if it has none. */
function missingMembers(
  { type, status, role, content }: JsonObject,
  endStatus: string,
): JsonPatch | undefined {
  if (type !== 'message') return undefined;
  const parts = listOf(content).map(objectOf);
  const isFull = parts.every(isFullPart);
  if (isFull && status !== undefined && role !== undefined) return undefined;
  return {
    status: status === undefined ? JSON.stringify(endStatus) : undefined,
    role: role === undefined ? '"assistant"' : undefined,
    content: isFull ? undefined : JSON.stringify(parts.map(fullPart)),
  };
}

const isFullPart = ({ type, annotations, logprobs }: JsonObject): boolean =>
  type !== 'output_text' || (annotations != null && logprobs != null);

const fullPart = (part: JsonObject): JsonObject =>
  isFullPart(part) ? part : { ...part, annotations: part.annotations ?? [], logprobs: part.logprobs ?? [] };

function reasoningPatch(item: JsonObject, view: ReasoningView): JsonPatch | undefined {
  if (item.type !== 'reasoning') return undefined;
  // A null is removed, since typed clients would send it back as a text.
  const showsEncrypted = view.showsEncrypted && item.encrypted_content !== null;
  if (view.showsThinking && showsEncrypted) return undefined;
  return {
    ...(!showsEncrypted && { encrypted_content: null }),
    ...(!view.showsThinking && { summary: '[]', content: null }),
  };
}
