import { isoTime } from '../../base/lib/iso-time.ts';
import type { ApiKey } from '../../money/accounts/api-key.ts';
import { usdOf } from '../../money/ledger/microcredits.ts';
import { keyView } from '../admin/key-view.ts';
import type { DashboardParts } from './dashboard-parts.ts';
import type { ListedKey } from './key-schema.ts';

type KeyParts = Pick<DashboardParts, 'ledger' | 'keyUses' | 'clock'>;

/** Reports whether a key is revoked or expired. Such a key can no longer be changed. */
export const hasEnded = ({ revokedAt, expiresAt }: ApiKey, now: number): boolean =>
  revokedAt !== null || (expiresAt !== null && expiresAt <= now);

export function stateOf(key: ApiKey, now: number): ListedKey['state'] {
  if (key.revokedAt !== null) return 'revoked';
  if (hasEnded(key, now)) return 'expired';
  return key.previous !== null && key.previous.endsAt > now ? 'rotating' : 'active';
}

/** Shows keys of one account, with the amounts of this month and the last uses. */
export async function showKeys(
  { ledger, keyUses, clock }: KeyParts,
  accountId: string,
  keys: readonly ApiKey[],
): Promise<ListedKey[]> {
  const now = clock.now();
  const uses = await keyUses.of(accountId);
  const isReadable = (await ledger.quarantineOf(accountId)) === undefined;
  return Promise.all(
    keys.map(async (key) => {
      const { account_id: _, ...view } = keyView(key, uses.get(key.id));
      const spent = isReadable ? await ledger.keySpent(accountId, { keyId: key.id, at: now }) : null;
      return {
        ...view,
        state: stateOf(key, now),
        month_spent_usd: spent === null ? null : usdOf(spent),
      };
    }),
  );
}

/** Returns the start of the next calendar month (UTC). */
export function monthEndsAt(now: number): string {
  const date = new Date(now);
  return isoTime(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1));
}
