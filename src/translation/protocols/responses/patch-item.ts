import type { JsonObject } from '../../../base/json/json-body.ts';
import { jsonList } from '../../../base/json/json-list.ts';
import { type JsonPatch, patchText } from '../../../base/json/patch-json.ts';
import { objectOf } from '../../../base/json/read-json.ts';
import { elementsOf } from '../../../base/json/slice-json.ts';
import type { View } from './view.ts';

/** The members of a view that decide what a passing item shows. */
export type ReasoningView = Pick<View, 'showsThinking' | 'showsEncrypted'>;

/** Patches an output item's own text. Reasoning that the client did not ask for is removed. */
export function patchItem(text: string, item: JsonObject, view: ReasoningView): string {
  const patch = reasoningPatch(item, view);
  return patch === undefined ? text : patchText(text, patch);
}

/** Patches each item in the text of a list. Returns undefined if nothing changes. */
export function patchOutput(
  text: string,
  output: readonly unknown[],
  view: ReasoningView,
): string | undefined {
  if (output.every((item) => reasoningPatch(objectOf(item), view) === undefined)) return undefined;
  return jsonList(elementsOf(text).map((item, index) => patchItem(item, objectOf(output[index]), view)));
}

function reasoningPatch(item: JsonObject, view: ReasoningView): JsonPatch | undefined {
  if (item.type !== 'reasoning') return undefined;
  // Typed clients take a null for a text that is to be sent again.
  const showsEncrypted = view.showsEncrypted && item.encrypted_content !== null;
  if (view.showsThinking && showsEncrypted) return undefined;
  return {
    ...(!showsEncrypted && { encrypted_content: null }),
    ...(!view.showsThinking && { summary: '[]', content: null }),
  };
}
