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

const SECRET_KEY_NOTE =
  'The stored credentials need the key of the backed up server. Put its file secret-key into the directory, ' +
  'or set TOLLGATE_SECRET_KEY, before the first start.';

/** Copies a backup into an empty data directory, and verifies it. */
export const restoreCommand: Run = async (invocation) => {
  await refusePostgres(invocation, 'restore');
  const directory = dataDirectory(invocation);
  const order = {
    source: resolve(invocation.required('DIR')),
    target: resolve(directory),
    acceptsFaults: invocation.flag('accept-faults'),
  };
  const { verified, waiting, lacksSecretKey } = await explained(() => restoreBackup(order));
  const { accounts, entries, faults } = verified;
  if (invocation.flag('json')) {
    const lacks_secret_key = lacksSecretKey;
    printJson(invocation, { directory, accounts, entries, faults: faults.length, waiting, lacks_secret_key });
    return 0;
  }
  const state = faults.length === 0 ? 'all balances match the entries' : faultCount(verified);
  invocation.terminal.print(`${directory}: ${ledgerSize(verified)}, ${state}`);
  if (lacksSecretKey) invocation.terminal.print(SECRET_KEY_NOTE);
  if (waiting > 0)
    invocation.terminal.print(`The next start posts ${counted(waiting, 'settlement')} from the spool.`);
  return 0;
};
