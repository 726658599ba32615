import { type JsonPatch, membersOf, patchJson } from '../../base/json/patch-json.ts';
import type { JsonMember } from '../../base/json/scan-json.ts';

/** What all chunks of a stream begin with, up to their choices, and what stands there for the client. */
type Head = { raw: string; patched: string; laterKeys: readonly string[]; id: unknown; model: unknown };

type Chunk = Readonly<Record<string, unknown>>;

const NO_USAGE = ',"usage":null';

/**
 * Patches the chunks of one stream. They differ in their choices and begin alike, so that looking a chunk through for its members, most of
 * the cost of passing it on, is needed for the first of them and for unusual ones. `chunk` is the text's value.
 */
export function createChunkPatcher(patch: JsonPatch) {
  let head: Head | undefined;
  return (text: string, chunk: Chunk): string => {
    if (head && text.startsWith(head.raw)) {
      const rest = patchRest(text, chunk, head);
      if (rest !== undefined) return head.patched + rest;
    }
    const members = membersOf(text);
    head ??= headOf(text, chunk, { members, patch });
    return patchJson(text, members, patch);
  };
}

function headOf(
  text: string,
  { id, model }: Chunk,
  { members, patch }: { members: ReadonlyMap<string, JsonMember>; patch: JsonPatch },
): Head | undefined {
  const end = members.get('choices')?.start ?? 0;
  const standsBefore = (key: string) => (members.get(key)?.start ?? end) < end;
  if (!standsBefore('id') || !standsBefore('model')) return undefined;
  const raw = text.slice(0, end);
  const whole = `${raw}[]}`;
  const patched = patchJson(whole, membersOf(whole), patch).slice(0, -'[]}'.length);
  const changed = Object.keys(patch).filter((key) => patch[key] !== undefined);
  return { raw, patched, laterKeys: changed.filter((key) => !standsBefore(key)), id, model };
}

/** What follows the head, or undefined where something in it may have to change. */
function patchRest(text: string, chunk: Chunk, head: Head): string | undefined {
  // Of two members with one name the last counts: it may stand behind the choices.
  if (chunk.id !== head.id || chunk.model !== head.model) return undefined;
  const later = head.laterKeys.filter((key) => chunk[key] !== undefined);
  if (later.length === 0) return text.slice(head.raw.length);
  if (later.length > 1 || later[0] !== 'usage' || chunk['usage'] !== null) return undefined;
  // Quotes inside a string are escaped: this can only be a member, and the last one is not one of a choice.
  const start = text.lastIndexOf(NO_USAGE);
  if (start < head.raw.length) return undefined;
  return text.slice(head.raw.length, start) + text.slice(start + NO_USAGE.length);
}
