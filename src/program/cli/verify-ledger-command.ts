import { faultCount } from '../../money/ledger/fault-count.ts';
import { verificationView } from '../../money/ledger/verification-view.ts';
import { verifyLedger } from '../../money/ledger/verify-ledger.ts';
import { callAdmin } from './call-admin.ts';
import { chosenDatabase } from './chosen-database.ts';
import type { Run } from './command.ts';
import { CommandFailure } from './command-failure.ts';
import { formatTable } from './format-table.ts';
import type { Invocation } from './invocation.ts';
import { ledgerFaultColumns } from './ledger-fault-columns.ts';
import { ledgerSize } from './ledger-size.ts';
import { LEDGER_TIMEOUT_MS } from './ledger-timeout.ts';
import { printJson } from './print-answer.ts';
import { stoppedDirectory, withStoppedStore } from './stopped-store.ts';
import { verifyDatabase } from './verify-database.ts';

type Verification = ReturnType<typeof verificationView>;

/** Prints the faults in the ledger. The exit code is 1 if there are any. */
export const verifyLedgerCommand: Run = async (invocation) => {
  const verification = await verificationOf(invocation);
  if (invocation.flag('json')) printJson(invocation, verification);
  else if (verification.faults.length > 0)
    invocation.terminal.print(formatTable(ledgerFaultColumns, verification.faults));
  const size = ledgerSize(verification);
  // A server of an earlier version does not say whether it has verified everything.
  const { faults, is_complete: isComplete = true } = verification;
  const summary = `${faultCount({ faults, isComplete })} in ${size}`;
  if (!isComplete) throw new CommandFailure(`${summary}, and the rest is not verified`);
  if (faults.length > 0) throw new CommandFailure(summary);
  if (!invocation.flag('json')) invocation.terminal.print(`${size}: all balances match the entries.`);
  return 0;
};

/** Reads a database, or a data directory that no server uses, in this process. Otherwise asks the server. */
async function verificationOf(invocation: Invocation): Promise<Verification> {
  const database = chosenDatabase(invocation);
  if (database !== undefined) return verificationView(await verifyDatabase(database));
  const directory = stoppedDirectory(invocation);
  if (directory === undefined)
    return callAdmin(invocation, 'GET /ledger/verify', { timeoutMs: LEDGER_TIMEOUT_MS });
  return withStoppedStore(directory, async ({ ledger }) => verificationView(await verifyLedger(ledger)));
}
