import type { LedgerCare } from './ledger-care.ts';
import type { LedgerFault } from './ledger-fault.ts';

const ACCOUNTS_AT_A_TIME = 100;
/** At most this many faults are reported. The verification ends with the account that reaches the number. */
const MAX_FAULTS = 1_000;

/**
 * The accounts and entries that were verified, and the faults in them. `isComplete` is false if there can be
 * further faults, since the verification has ended early.
 */
export type VerifiedLedger = {
  accounts: number;
  entries: number;
  faults: LedgerFault[];
  isComplete: boolean;
};

/**
 * Verifies the accounts one by one, so that requests are served in between, and then the data that belongs to
 * no account.
 */
export async function verifyLedger(
  ledger: Pick<LedgerCare, 'ledgerAccounts' | 'verifyAccount' | 'verifyStore' | 'lastEntry'>,
): Promise<VerifiedLedger> {
  const faults: LedgerFault[] = [];
  const report = (found: readonly LedgerFault[]): void => {
    faults.push(...found.slice(0, MAX_FAULTS - faults.length));
  };
  const upTo = await ledger.lastEntry();
  let accounts = 0;
  let entries = 0;
  let counted = 0;
  let after: string | undefined;
  for (;;) {
    const ids = await ledger.ledgerAccounts({ limit: ACCOUNTS_AT_A_TIME, after });
    for (const id of ids) {
      const verified = await ledger.verifyAccount(id, upTo);
      entries += verified.entries;
      counted += verified.counted;
      accounts++;
      report(verified.faults);
      if (faults.length === MAX_FAULTS) return { accounts, entries, faults, isComplete: false };
      await new Promise(setImmediate);
    }
    after = ids.at(-1);
    if (ids.length < ACCOUNTS_AT_A_TIME) break;
  }
  const ofStore = await ledger.verifyStore({ upTo, entries: counted });
  const isComplete = faults.length + ofStore.length <= MAX_FAULTS;
  report(ofStore);
  return { accounts, entries, faults, isComplete };
}
