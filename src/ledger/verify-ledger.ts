import type { LedgerFault } from './ledger-fault.ts';
import type { LedgerStore } from './ledger-store.ts';

const ACCOUNTS_AT_A_TIME = 100;
/** Whoever has to mend more begins with these. */
const MOST_FAULTS = 1_000;

export type VerifiedLedger = { accounts: number; entries: number; faults: LedgerFault[] };

/** Recomputes every account, one after the other, so that requests are served in between. */
export async function verifyLedger(
  ledger: Pick<LedgerStore, 'ledgerAccounts' | 'verifyAccount'>,
): Promise<VerifiedLedger> {
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
  return { accounts, entries, faults };
}
