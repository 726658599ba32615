import type { LedgerCare } from './ledger-care.ts';
import type { LedgerFault } from './ledger-fault.ts';

const ACCOUNTS_AT_A_TIME = 100;
/** At most this many faults are reported. */
const MAX_FAULTS = 1_000;

/** The result of verifying all accounts. `faults` ends early if there are too many. */
export type VerifiedLedger = { accounts: number; entries: number; faults: LedgerFault[] };

/**
 * Verifies the accounts one by one, so that requests are served in between, and then the data that belongs to
 * no account.
 */
export async function verifyLedger(
  ledger: Pick<LedgerCare, 'ledgerAccounts' | 'verifyAccount' | 'verifyStore' | 'lastEntry'>,
): Promise<VerifiedLedger> {
  const faults: LedgerFault[] = [];
  const upTo = await ledger.lastEntry();
  let [accounts, entries, counted] = [0, 0, 0];
  let after: string | undefined;
  for (;;) {
    const ids = await ledger.ledgerAccounts({ limit: ACCOUNTS_AT_A_TIME, after });
    for (const id of ids) {
      const verified = await ledger.verifyAccount(id, upTo);
      entries += verified.entries;
      counted += verified.counted;
      faults.push(...verified.faults);
      await new Promise(setImmediate);
    }
    accounts += ids.length;
    after = ids.at(-1);
    if (faults.length >= MAX_FAULTS) return { accounts, entries, faults };
    if (ids.length < ACCOUNTS_AT_A_TIME) break;
  }
  faults.push(...(await ledger.verifyStore({ upTo, entries: counted })));
  return { accounts, entries, faults };
}
