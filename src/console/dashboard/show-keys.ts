import type { ApiKey } from '../../money/accounts/api-key.ts';
import { usdOf } from '../../money/ledger/microcredits.ts';
import { keyView as adminKeyView } from '../admin/key-view.ts';
import type { DashboardParts } from './dashboard-parts.ts';
import { findKey, type KeyCall } from './find-key.ts';
import type { ListedKey } from './key-schema.ts';
import { keyStateOf } from './key-state.ts';

/** Shows the key that the path names. */
export const showKey = async (call: KeyCall, parts: DashboardParts): Promise<ListedKey> =>
  keyView(parts, await findKey(call, parts));

type KeyParts = Pick<DashboardParts, 'ledger' | 'keyUses' | 'clock'>;

/** Returns the view of a key. */
export const keyView = async (parts: KeyParts, key: ApiKey): Promise<ListedKey> =>
  (await keyViews(parts, key.accountId, [key]))[0]!;

/** Returns the views of keys of one account, with the amounts of this month and the last uses. */
export async function keyViews(
  { ledger, keyUses, clock }: KeyParts,
  accountId: string,
  keys: readonly ApiKey[],
): Promise<ListedKey[]> {
  const now = clock.now();
  const uses = await keyUses.of(accountId);
  // The sums of a quarantined ledger can be wrong, so no amounts are shown until it is repaired.
  const isReadable = (await ledger.quarantineOf(accountId)) === undefined;
  return Promise.all(
    keys.map(async (key) => {
      // The path of the request names the account.
      const { account_id: _, ...view } = adminKeyView(key, uses.get(key.id));
      const spent = isReadable ? await ledger.keySpent(accountId, { keyId: key.id, at: now }) : null;
      return {
        ...view,
        state: keyStateOf(key, now),
        month_spent_usd: spent === null ? null : usdOf(spent),
      };
    }),
  );
}
