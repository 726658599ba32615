import { isoTime } from '../../base/lib/iso-time.ts';
import type { Quarantine, RepairedAccount, VerifiedAccount } from './ledger-care.ts';
import type { LedgerFault } from './ledger-fault.ts';
import { balanceOf } from './period.ts';
import type { VerifiedLedger } from './verify-ledger.ts';

const faultView = ({ accountId, ...fault }: LedgerFault) => ({ account_id: accountId, ...fault });

/** Shows the result of a verification in the form of the admin API and the command line. */
export const verificationView = ({ accounts, entries, faults, isComplete }: VerifiedLedger) => ({
  accounts,
  entries,
  faults: faults.map(faultView),
  is_complete: isComplete,
});

/** Shows the result of verifying one account. */
export const accountVerificationView = (
  accountId: string,
  { entries, faults }: VerifiedAccount,
  quarantine: Quarantine | undefined,
) => ({
  account_id: accountId,
  quarantine: quarantine ? quarantineView(quarantine) : null,
  entries,
  faults: faults.map(faultView),
});

/** The reason why an account is not served. */
export const quarantineView = ({ since, reason }: Quarantine) => ({ since: isoTime(since), reason });

/** Shows the faults that a repair found, and the entries that it added. */
export const repairView = (accountId: string, { entries, faults, added }: RepairedAccount) => ({
  account_id: accountId,
  entries,
  mended: faults.map(faultView),
  added: added.map(({ id, period, microcredits, reason }) => ({
    id,
    balance: balanceOf(period),
    microcredits,
    reason,
  })),
});
