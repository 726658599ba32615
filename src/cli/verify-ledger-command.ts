import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { verificationView } from '../ledger/verification-view.ts';
import { verifyLedger } from '../ledger/verify-ledger.ts';
import { openSqliteStore } from '../store/sqlite/open-sqlite-store.ts';
import { StoreProblem } from '../store/store-problem.ts';
import { callAdmin } from './admin-client.ts';
import type { Run } from './command.ts';
import { CommandFailure } from './command-failure.ts';
import { dataDirectory } from './data-directory.ts';
import { isInUse } from './doctor/check-store.ts';
import { formatTable } from './format-table.ts';
import type { Invocation } from './invocation.ts';
import { field, printJson } from './print-answer.ts';

type Verification = ReturnType<typeof verificationView>;

/** Millions of entries take minutes. */
const TIMEOUT_MS = 3_600_000;
const columns = [field('account_id', 'account'), field('what'), field('recorded'), field('recomputed')];

/** Ends with 1 where the ledger contradicts itself. */
export const verify: Run = async (invocation) => {
  const found = await verificationOf(invocation);
  if (invocation.flag('json')) printJson(invocation, found);
  else if (found.faults.length > 0) invocation.terminal.print(formatTable(columns, found.faults));
  const size = `${found.accounts} accounts with ${found.entries} entries`;
  if (found.faults.length > 0) throw new CommandFailure(`${found.faults.length} faults in ${size}`);
  if (!invocation.flag('json')) invocation.terminal.print(`${size}: all balances are what their entries say`);
  return 0;
};

/** A directory that no server holds is read here; else its server reads it. */
function verificationOf(invocation: Invocation): Promise<Verification> {
  const directory = resolve(dataDirectory(invocation));
  const isHere = existsSync(join(directory, 'tollgate.db')) && !isInUse(directory);
  if (isHere && invocation.text('url') === undefined) return verifyDirectory(directory);
  return callAdmin(invocation, { path: '/ledger/verify', timeoutMs: TIMEOUT_MS });
}

async function verifyDirectory(directory: string): Promise<Verification> {
  try {
    const store = await openSqliteStore({ directory });
    try {
      return verificationView(await verifyLedger(store.ledger));
    } finally {
      await store.close();
    }
  } catch (error) {
    throw error instanceof StoreProblem ? new CommandFailure(error.sentence) : error;
  }
}
