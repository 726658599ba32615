import type { JsonBody } from './json-body.ts';

/** Returns the text of a top-level member as it was sent, or an empty list if there is none. */
export function memberText({ text, members }: Pick<JsonBody, 'text' | 'members'>, name: string): string {
  const member = members.get(name);
  return member ? text.slice(member.start, member.end) : '[]';
}
