import type { Static } from 'typebox';
import { isoTime } from '../../base/lib/iso-time.ts';
import type { ApiKey } from '../../money/accounts/api-key.ts';
import { accepted } from '../routes/accepted.ts';
import { unknownAfter } from '../routes/page-fields.ts';
import type { WithQuery } from '../routes/typed-route.ts';
import type { DashboardParts } from './dashboard-parts.ts';
import type { OrganizationCall } from './dashboard-route.ts';
import type { KeyList, KeyNames, keysQuery } from './key-schema.ts';
import { hasEnded } from './key-state.ts';
import { keyViews } from './show-keys.ts';

type KeyFilter = Pick<Static<typeof keysQuery>, 'state' | 'q'>;

const DEFAULT_LIMIT = 50;

/** Lists keys of an organization, the latest first. */
export async function listKeys(
  { accountId, query }: OrganizationCall<WithQuery<typeof keysQuery>>,
  parts: DashboardParts,
): Promise<KeyList> {
  const { after, limit = DEFAULT_LIMIT, ...filter } = query;
  const keys = accepted(await parts.accounts.listKeys(accountId)).toReversed();
  const now = parts.clock.now();
  // The key of the cursor can have left the filter since, for example because it was revoked.
  const start = after === undefined ? 0 : keys.findIndex(({ id }) => id === after) + 1;
  if (after !== undefined && start === 0) throw unknownAfter('a key of this organization');
  const selected = keys.slice(start).filter((key) => passes(key, filter, now));
  const page = selected.slice(0, limit);
  const ended = keys.filter((key) => hasEnded(key, now)).length;
  return {
    data: await keyViews(parts, accountId, page),
    next: selected.length > limit ? page.at(-1)!.id : null,
    counts: { active: keys.length - ended, ended },
    month_ends_at: monthEndsAt(now),
  };
}

/** Lists the names of all keys. Reports have only ids, since an organization can have thousands of keys. */
export async function nameKeys(
  { accountId }: OrganizationCall,
  { accounts }: DashboardParts,
): Promise<KeyNames> {
  const keys = accepted(await accounts.listKeys(accountId));
  return { data: keys.map(({ id, name, hint }) => ({ id, name, hint })) };
}

/** Reports whether a key has the state of a filter, and all its words. */
function passes(key: ApiKey, { state = 'active', q = '' }: KeyFilter, now: number): boolean {
  if (state !== 'all' && hasEnded(key, now) !== (state === 'ended')) return false;
  const text = `${key.id} ${key.name ?? ''} ${key.hint}`.toLowerCase();
  return q
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** Returns the start of the next calendar month (UTC). */
function monthEndsAt(now: number): string {
  const date = new Date(now);
  return isoTime(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1));
}
