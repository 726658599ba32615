import { resolve } from 'node:path';
import { version } from '../../base/build/version.ts';
import { backUp } from '../backup/back-up.ts';
import type { Run } from './command.ts';
import { dataDirectory } from './data-directory.ts';
import { explained } from './explained.ts';
import { printJson } from './print-answer.ts';
import { refusePostgres } from './refuse-postgres.ts';

/** Copies a data directory. A running server can write meanwhile. */
export const backupCommand: Run = async (invocation) => {
  await refusePostgres(invocation, 'backup');
  const target = invocation.required('DIR');
  const source = resolve(dataDirectory(invocation));
  const withSecretKey = invocation.flag('with-secret-key');
  const order = { source, target: resolve(target), version, now: Date.now(), withSecretKey };
  const { files, schema } = await explained(() => backUp(order));
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  if (invocation.flag('json'))
    printJson(invocation, { directory: target, schema, files: files.length, bytes });
  else invocation.terminal.print(target);
  return 0;
};
