import { verificationView } from '../../money/ledger/verification-view.ts';
import { verifyLedger } from '../../money/ledger/verify-ledger.ts';
import { callAdmin } from './admin-client.ts';
import type { Run } from './command.ts';
import { CommandFailure } from './command-failure.ts';
import { formatTable } from './format-table.ts';
import type { Invocation } from './invocation.ts';
import { field, printJson } from './print-answer.ts';
import { stoppedDirectory, withStoppedStore } from './stopped-store.ts';

type Verification = ReturnType<typeof verificationView>;

/** Millions of entries take minutes. */
export const LEDGER_TIMEOUT_MS = 3_600_000;
export const faultColumns = [
  field('account_id', 'account'),
  field('what'),
  field('recorded'),
  field('recomputed'),
];

/** Ends with 1 where the ledger contradicts itself. */
export const verify: Run = async (invocation) => {
  const found = await verificationOf(invocation);
  if (invocation.flag('json')) printJson(invocation, found);
  else if (found.faults.length > 0) invocation.terminal.print(formatTable(faultColumns, found.faults));
  const size = `${found.accounts} accounts with ${found.entries} entries`;
  if (found.faults.length > 0) throw new CommandFailure(`${found.faults.length} faults in ${size}`);
  if (!invocation.flag('json')) invocation.terminal.print(`${size}: all balances are what their entries say`);
  return 0;
};

/** A directory that no server holds is read here; else its server reads it. */
function verificationOf(invocation: Invocation): Promise<Verification> {
  const directory = stoppedDirectory(invocation);
  if (directory === undefined)
    return callAdmin(invocation, { path: '/ledger/verify', timeoutMs: LEDGER_TIMEOUT_MS });
  return withStoppedStore(directory, async ({ ledger }) => verificationView(await verifyLedger(ledger)));
}
