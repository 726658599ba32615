import type { JsonObject } from '../../../base/json/json-body.ts';
import { jsonList } from '../../../base/json/json-list.ts';
import { memberText } from '../../../base/json/member-text.ts';
import { membersOf, patchJson, patchPart } from '../../../base/json/patch-json.ts';
import { listOf, objectOf, textOf } from '../../../base/json/read-json.ts';
import { elementsOf } from '../../../base/json/slice-json.ts';
import type { LossCode } from '../../canonical/loss.ts';

/**
 * Marks encrypted reasoning with the account that produced it. The vendor would refuse the whole conversation
 * if another account sent that content.
 */
const LABEL = 'tollgate-sealed-v1:';

/** Quotes inside a string are escaped, so every match is a member. */
const ENCRYPTED = /"encrypted_content"\s*:\s*"(?!")/g;

/** Adds the account's mark to all encrypted content in an upstream's JSON text. */
export const markReasoning = (text: string, mark: string): string =>
  text.includes('"encrypted_content"')
    ? text.replace(ENCRYPTED, (member) => `${member}${LABEL}${mark}:`)
    : text;

type FittedReasoning = {
  body: string;
  losses: readonly LossCode[];
  /** True if the conversation itself is in a content that only another account can read. */
  isUnreadable?: boolean;
};

/**
 * Prepares a request's text for an account.
 * The account's own encrypted content loses its mark, and other accounts' content is removed.
 */
export function fitReasoning(text: string, mark: string): FittedReasoning {
  if (!text.includes(LABEL)) return { body: text, losses: [] };
  const body = text.replace(new RegExp(`("encrypted_content"\\s*:\\s*")${LABEL}${mark}:`, 'g'), '$1');
  const members = membersOf(body);
  const input = memberText({ text: body, members }, 'input');
  if (!input.includes(LABEL)) return { body, losses: [] };
  const items = elementsOf(input).map((item) => ({ item, value: objectOf(JSON.parse(item)) }));
  if (items.some(({ value }) => value.type === 'compaction' && isForeign(value)))
    return { body, losses: [], isUnreadable: true };
  const readable = items.filter(({ value }) => !isForeign(value));
  if (readable.length === items.length) return { body, losses: [] };
  // The vendor requires the reasoning that belongs to a call's id, so the ids are removed as well.
  const kept = readable.map(({ item, value }) => (value.id == null ? item : patchPart(item, { id: null })));
  const losses = items.flatMap(({ value }) => lossesOf(value));
  return { body: patchJson(body, members, { input: jsonList(kept) }), losses: [...new Set(losses)] };
}

const isForeign = ({ encrypted_content }: JsonObject): boolean =>
  textOf(encrypted_content)?.startsWith(LABEL) === true;

const lossesOf = (item: JsonObject): LossCode[] => {
  if (!isForeign(item)) return [];
  const isSaid = listOf(item.summary).length > 0 || listOf(item.content).length > 0;
  return isSaid ? ['replay-token', 'thinking-block'] : ['replay-token'];
};
