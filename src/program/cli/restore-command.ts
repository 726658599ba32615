import { resolve } from 'node:path';
import { counted } from '../../base/lib/counted.ts';
import { faultCount } from '../../money/ledger/fault-count.ts';
import { restoreBackup } from '../backup/restore-backup.ts';
import type { Run } from './command.ts';
import { dataDirectory } from './data-directory.ts';
import { explained } from './explained.ts';
import { ledgerSize } from './ledger-size.ts';
import { printJson } from './print-answer.ts';
import { refusePostgres } from './refuse-postgres.ts';

/** Copies a backup into an empty data directory, and verifies it. */
export const restoreCommand: Run = async (invocation) => {
  await refusePostgres(invocation, 'restore');
  const directory = dataDirectory(invocation);
  const order = {
    source: resolve(invocation.required('DIR')),
    target: resolve(directory),
    acceptsFaults: invocation.flag('accept-faults'),
  };
  const { verified, waiting } = await explained(() => restoreBackup(order));
  const { accounts, entries, faults } = verified;
  if (invocation.flag('json')) {
    printJson(invocation, { directory, accounts, entries, faults: faults.length, waiting });
    return 0;
  }
  const state = faults.length === 0 ? 'all balances match the entries' : faultCount(verified);
  invocation.terminal.print(`${directory}: ${ledgerSize(verified)}, ${state}`);
  if (waiting > 0)
    invocation.terminal.print(`The next start posts ${counted(waiting, 'settlement')} from the spool.`);
  return 0;
};
