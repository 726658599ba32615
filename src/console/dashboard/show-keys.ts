import type { ApiKey } from '../../money/accounts/api-key.ts';
import { usdOf } from '../../money/ledger/microcredits.ts';
import { keyView } from '../admin/key-view.ts';
import type { DashboardParts } from './dashboard-parts.ts';
import type { ListedKey } from './key-schema.ts';
import { keyStateOf } from './key-state.ts';

type KeyParts = Pick<DashboardParts, 'ledger' | 'keyUses' | 'clock'>;

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
        state: keyStateOf(key, now),
        month_spent_usd: spent === null ? null : usdOf(spent),
      };
    }),
  );
}
