import { type JsonPatch, membersOf, patchJson, patchText } from '../../../base/json/patch-json.ts';
import type { JsonMember } from '../../../base/json/scan-json.ts';

/**
 * The common beginning of a stream's chunks, up to `choices`, as sent by the host and as shown to the client.
 */
type Head = { raw: string; patched: string; laterKeys: readonly string[]; id: unknown; model: unknown };

type Chunk = Readonly<Record<string, unknown>>;

const NO_USAGE = ',"usage":null';

/**
 * Patches the chunks of one stream. The chunks differ only in their choices. The patcher therefore searches
 * the first chunk and unusual ones for members, and reuses the patched head for the others. Searching is most
 * of the cost of passing a chunk on. `chunk` is the parsed value of the text.
 */
export function createChunkPatcher(patch: JsonPatch): (text: string, chunk: Chunk) => string {
  let head: Head | undefined;
  return (text, chunk) => {
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
  const patched = patchText(whole, patch).slice(0, -'[]}'.length);
  const changed = Object.keys(patch).filter((key) => patch[key] !== undefined);
  return { raw, patched, laterKeys: changed.filter((key) => !standsBefore(key)), id, model };
}

/** Returns the text after the head, or undefined if that text may need a change. */
function patchRest(text: string, chunk: Chunk, head: Head): string | undefined {
  // Of two members with the same name the last counts, and it may follow the choices.
  if (chunk.id !== head.id || chunk.model !== head.model) return undefined;
  const later = head.laterKeys.filter((key) => chunk[key] !== undefined);
  if (later.length === 0) return text.slice(head.raw.length);
  if (later.length > 1 || later[0] !== 'usage' || chunk.usage !== null) return undefined;
  // Quotes inside a string are escaped, so this match is a member. The last match is outside the choices.
  const start = text.lastIndexOf(NO_USAGE);
  if (start < head.raw.length) return undefined;
  return text.slice(head.raw.length, start) + text.slice(start + NO_USAGE.length);
}
