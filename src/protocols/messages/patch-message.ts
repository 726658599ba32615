import type { AnswerLabel } from '../dialect.ts';
import { type JsonPatch, membersOf, patchJson } from '../patch-json.ts';

/** Clients were promised them, and not every host of this protocol has them. */
const promised = [
  'input_tokens',
  'output_tokens',
  'cache_creation_input_tokens',
  'cache_read_input_tokens',
] as const;

/** A message's own text with our id, the name that the client sent and every count that it was promised. */
export function patchMessage(text: string, { id, model }: AnswerLabel, patch: JsonPatch = {}): string {
  const members = membersOf(text);
  const place = members.get('usage');
  const usage = completeUsage(place ? text.slice(place.start, place.end) : '{}');
  const label = { id: JSON.stringify(id), model: JSON.stringify(model) };
  return patchJson(text, members, { ...patch, ...label, ...(usage !== undefined && { usage }) });
}

/** Undefined where nothing is missing. */
function completeUsage(text: string): string | undefined {
  const usage: Record<string, unknown> = JSON.parse(text) ?? {};
  const missing = promised.filter((name) => usage[name] == null);
  if (missing.length === 0) return undefined;
  const known = text === 'null' ? '{}' : text;
  return patchJson(known, membersOf(known), Object.fromEntries(missing.map((name) => [name, '0'])));
}
