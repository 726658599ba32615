import type { Static } from 'typebox';
import type { Refusal } from '../../base/errors/refusal.ts';
import { isoTime } from '../../base/lib/iso-time.ts';
import type { ApiKey } from '../../money/accounts/api-key.ts';
import { accepted } from '../routes/accepted.ts';
import { unknownAfter } from '../routes/page-fields.ts';
import type { DashboardParts } from './dashboard-parts.ts';
import type { KeyList, keysQuery } from './key-schema.ts';
import { hasEnded } from './key-state.ts';
import { showKeys } from './show-keys.ts';

type KeyFilter = Pick<Static<typeof keysQuery>, 'state' | 'q'>;

const PAGE = 50;

/** Lists keys of an organization, the latest first. */
export async function listKeys(
  parts: DashboardParts,
  accountId: string,
  { after, limit = PAGE, ...wanted }: Static<typeof keysQuery>,
): Promise<KeyList | Refusal> {
  const keys = accepted(await parts.accounts.listKeys(accountId)).toReversed();
  const now = parts.clock.now();
  // The key of the cursor can have left the filter since, for example because it was revoked.
  const start = after === undefined ? 0 : keys.findIndex(({ id }) => id === after) + 1;
  if (after !== undefined && start === 0) return unknownAfter('a key of this organization');
  const found = keys.slice(start).filter((key) => isWanted(key, wanted, now));
  const page = found.slice(0, limit);
  const ended = keys.filter((key) => hasEnded(key, now)).length;
  return {
    data: await showKeys(parts, accountId, page),
    next: found.length > limit ? page.at(-1)!.id : null,
    counts: { active: keys.length - ended, ended },
    month_ends_at: monthEndsAt(now),
  };
}

function isWanted(key: ApiKey, { state = 'active', q = '' }: KeyFilter, now: number): boolean {
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
