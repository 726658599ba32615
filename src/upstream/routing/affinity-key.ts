import type { JsonBody } from '../../base/json/json-body.ts';
import { objectOf } from '../../base/json/read-json.ts';
import { hashSpan, hashText } from './rendezvous.ts';

/** The members of the prompt in the order in which vendors cache it, in all dialects. */
// biome-ignore format: a line for each group
const PROMPT = [
  'tools', 'system', 'instructions', 'systemInstruction',
  'messages', 'input', 'prompt', 'contents',
];

/**
 * About 1,024 tokens, the shortest prompt that any vendor caches. A shorter prompt gains nothing from one
 * target.
 */
const PREFIX_LENGTH = 4_096;
const STEP = 4;

/** Returns the client's name for the conversation, or for a user whose conversations begin alike. */
export const conversationHint = (value: JsonBody['value']): string | undefined =>
  hintOf(value['prompt_cache_key']) ??
  hintOf(value['safety_identifier']) ??
  hintOf(value['user']) ??
  hintOf(objectOf(value['metadata'])['user_id']);

const hintOf = (named: unknown): string | undefined =>
  typeof named === 'string' && named !== '' ? named : undefined;

/**
 * Returns a key that is equal for requests of one conversation, so that they find their cached prompt. 0 if
 * affinity would gain nothing.
 */
export function affinityKey({ value, text, members }: JsonBody): number {
  const hint = conversationHint(value);
  if (hint !== undefined) return hashText(hint);
  let hash: number | undefined;
  let remaining = PREFIX_LENGTH;
  for (const name of PROMPT) {
    const member = members.get(name);
    if (!member) continue;
    const end = Math.min(member.end, member.start + remaining);
    remaining -= end - member.start;
    hash = hashSpan(text, { start: member.start, end, step: STEP }, hash);
    if (remaining === 0) return hash || 1;
  }
  return 0;
}
