import { lookUp } from '../lib/records.ts';
import { COMMA, skipSpace } from './json-characters.ts';
import { parseObject } from './read-json.ts';
import { type Replacement, replaceMembers } from './replace-members.ts';
import { type JsonMember, scanJson } from './scan-json.ts';

/** New texts of top-level members: null removes a member, undefined leaves it unchanged. */
export type JsonPatch = Readonly<Record<string, string | null | undefined>>;

/** Returns the places of the top-level members. Throws a SyntaxError if the text cannot be patched. */
export function membersOf(text: string): ReadonlyMap<string, JsonMember> {
  const members = scanJson(text);
  if (members instanceof Map) return members;
  throw new SyntaxError('not a JSON object that can be patched');
}

/**
 * Replaces, adds and removes top-level members in JSON text. All other bytes stay as they are, because prompt
 * caches and signatures depend on them. Members keep their order, and new members go last.
 *
 * @example
 * const text = '{"model": "a", "n": 1}';
 * const patch = { model: '"b"', n: null, user: '"u"' };
 * patchJson(text, membersOf(text), patch); // → '{"model": "b","user":"u"}'
 */
export function patchJson(text: string, members: ReadonlyMap<string, JsonMember>, patch: JsonPatch): string {
  const open = text.indexOf('{') + 1;
  let patched = '';
  let copied = 0; // everything before this index is already in `patched`
  let from = open; // after the comma before the member
  let hasMembers = false;
  for (const [key, { start, end }] of members) {
    const close = skipSpace(text, end);
    // The sender chose the member's name, which may be that of a property of `Object.prototype`.
    const value = lookUp(patch, key);
    if (value === null) {
      // A removed member takes the comma before it along. The first member takes the comma after it.
      patched += text.slice(copied, hasMembers ? from - 1 : from);
      copied = hasMembers || text.charCodeAt(close) !== COMMA ? close : close + 1;
    } else {
      if (value !== undefined) {
        patched += text.slice(copied, start) + value;
        copied = end;
      }
      hasMembers = true;
    }
    from = close + 1;
  }
  const rest = Math.max(copied, members.size > 0 ? from - 1 : skipSpace(text, open));
  patched += text.slice(copied, rest);
  for (const key in patch) {
    const value = patch[key];
    if (value == null || members.has(key)) continue;
    patched += `${hasMembers ? ',' : ''}${JSON.stringify(key)}:${value}`;
    hasMembers = true;
  }
  return patched + text.slice(rest);
}

/** Patches text whose members have not been searched yet. */
export const patchText = (text: string, patch: JsonPatch): string => patchJson(text, membersOf(text), patch);

/** Patches part of a client's request. A name can occur twice below the top level; its last value counts. */
export function patchPart(text: string, patch: Readonly<Record<string, string | null>>): string {
  const members = scanJson(text);
  if (members instanceof Map) return patchJson(text, members, patch);
  const value = parseObject(text);
  for (const [key, replacement] of Object.entries(patch)) {
    if (replacement === null) delete value[key];
    else value[key] = JSON.parse(replacement);
  }
  return JSON.stringify(value);
}

/** Patches text whose parsed value is known. The scan ends at the last member that the patch changes. */
export const patchKnown = (text: string, value: object, patch: JsonPatch): string =>
  patchParsed(text, value, patch, 'unchecked');

/** Patches text whose parsed value is known, and which has no duplicate members, as every client request. */
export const patchChecked = (text: string, value: object, patch: JsonPatch): string =>
  patchParsed(text, value, patch, 'checked');

function patchParsed(text: string, value: object, patch: JsonPatch, names: 'checked' | 'unchecked'): string {
  const replaced: Replacement[] = [];
  let added = '';
  let takesOut = false;
  for (const key in patch) {
    const replacement = patch[key];
    if (replacement === undefined) continue;
    const isThere = Object.hasOwn(value, key);
    if (replacement === null) takesOut ||= isThere;
    else if (isThere) replaced.push({ key, text: replacement });
    else added += `,${JSON.stringify(key)}:${replacement}`;
  }
  const isSimple = !takesOut && replaced.length > 0;
  const simply = isSimple && replaceMembers(text, replaced, { added, isChecked: names === 'checked' });
  return simply || patchText(text, patch);
}
