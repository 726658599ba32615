import { patchJson } from '../../base/json/patch-json.ts';
import { type JsonMember, scanJson } from '../../base/json/scan-json.ts';
import { elementsOf } from '../../base/json/slice-json.ts';
import { lookUp } from '../../base/lib/records.ts';

/** An item as a listing shows it, with its id in the listing. */
export type ListedItem = { id: string; text: string };

/** The prefixes of item ids, by the type of the item. */
const prefixes: Record<string, string> = {
  message: 'msg',
  reasoning: 'rs',
  function_call: 'fc',
  custom_tool_call: 'ctc',
};

/**
 * Returns the item at a place of the listing of a response or a conversation. Its content is not parsed,
 * since images may be megabytes long.
 */
export function listedItem(sent: string, ownerId: string, place: number): ListedItem {
  const { text, members } = scanned(sent);
  const read = (name: string): unknown => {
    const member = members.get(name);
    return member && JSON.parse(text.slice(member.start, member.end));
  };
  const type = String(read('type') ?? 'message');
  const ownId = read('id');
  const id =
    typeof ownId === 'string'
      ? ownId
      : `${lookUp(prefixes, type) ?? 'item'}_${ownerId.replace(/^(?:resp|conv)_/, '')}_in${place}`;
  const status = members.has('status') ? undefined : '"completed"';
  const patch = { id: ownId === id ? undefined : JSON.stringify(id), status };
  if (type !== 'message') return { id, text: patchJson(text, members, patch) };
  const content = contentOf(text, members.get('content'), read('role'));
  return { id, text: patchJson(text, members, { ...patch, type: '"message"', content }) };
}

/**
 * Returns the content as a list of parts, which every client accepts. Returns undefined if it is a list
 * already.
 */
function contentOf(text: string, member: JsonMember | undefined, role: unknown): string | undefined {
  const content = member ? text.slice(member.start, member.end) : 'null';
  if (content === 'null') return '[]';
  if (!content.startsWith('"')) return content.includes('"input_image"') ? withDetails(content) : undefined;
  return role === 'assistant'
    ? `[{"type":"output_text","text":${content},"annotations":[]}]`
    : `[{"type":"input_text","text":${content}}]`;
}

/** Adds the default detail to images without one, since listings must have it. */
const withDetails = (content: string): string =>
  `[${elementsOf(content)
    .map((part) => {
      const { text, members } = scanned(part);
      const type = members.get('type');
      const isImage = type !== undefined && text.slice(type.start, type.end) === '"input_image"';
      return isImage && !members.has('detail') ? patchJson(text, members, { detail: '"auto"' }) : part;
    })
    .join(',')}]`;

/** The last of several members with the same name counts, as in any parser. */
function scanned(text: string): { text: string; members: ReadonlyMap<string, JsonMember> } {
  const members = scanJson(text);
  if (members instanceof Map) return { text, members };
  const single = JSON.stringify(JSON.parse(text));
  // The scan finds every member, because each is written once now.
  return { text: single, members: scanJson(single) as Map<string, JsonMember> };
}
