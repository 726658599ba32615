import { type JsonMember, scanJson } from '../http/scan-json.ts';

const MAX_DEPTH = 1_000;
const SPACE = 32;

/** New texts of top-level members; null takes a member out. */
export type JsonPatch = Readonly<Record<string, string | null>>;

export function membersOf(text: string): ReadonlyMap<string, JsonMember> {
  const members = scanJson(text, MAX_DEPTH);
  if (members instanceof Map) return members;
  throw new SyntaxError('not a JSON object as expected');
}

/**
 * Replaces, adds and removes top-level members in JSON text and leaves every other byte as it is: prompt caches and signatures depend on
 * them. Key order stays; what is new goes last.
 */
export function patchJson(text: string, members: ReadonlyMap<string, JsonMember>, patch: JsonPatch): string {
  const open = text.indexOf('{') + 1;
  let body = '';
  let from = open;
  for (const [key, { start, end }] of members) {
    const close = skipSpace(text, end);
    const value = patch[key];
    if (value === undefined) body += `${separator(body)}${text.slice(from, close)}`;
    else if (value !== null)
      body += `${separator(body)}${text.slice(from, start)}${value}${text.slice(end, close)}`;
    from = close + 1; // behind the comma
  }
  for (const key in patch) {
    const value = patch[key];
    if (value != null && !members.has(key)) body += `${separator(body)}${JSON.stringify(key)}:${value}`;
  }
  const rest = members.size > 0 ? from - 1 : skipSpace(text, open);
  return text.slice(0, open) + body + text.slice(rest);
}

const separator = (body: string): string => (body === '' ? '' : ',');

function skipSpace(text: string, index: number): number {
  while (text.charCodeAt(index) <= SPACE) index++;
  return index;
}
