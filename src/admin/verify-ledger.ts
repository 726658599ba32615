import type { LedgerFault } from '../ledger/ledger-fault.ts';
import type { LedgerStore } from '../ledger/ledger-store.ts';

const ACCOUNTS_AT_A_TIME = 100;
/** Whoever has to mend more begins with these. */
const MOST_FAULTS = 1_000;

/** Recomputes every account, one after the other, so that requests are served in between. */
export async function verifyLedger(ledger: LedgerStore) {
  const faults: LedgerFault[] = [];
  let [accounts, entries] = [0, 0];
  let after: string | undefined;
  for (;;) {
    const ids = await ledger.ledgerAccounts({ limit: ACCOUNTS_AT_A_TIME, after });
    for (const id of ids) {
      const verified = await ledger.verifyAccount(id);
      entries += verified.entries;
      faults.push(...verified.faults);
      await new Promise(setImmediate);
    }
    accounts += ids.length;
    after = ids.at(-1);
    if (ids.length < ACCOUNTS_AT_A_TIME || faults.length >= MOST_FAULTS) break;
  }
  return {
    accounts,
    entries,
    faults: faults.map(({ accountId, ...fault }) => ({ account_id: accountId, ...fault })),
  };
}
