import { Database } from 'bun:sqlite';
import { closeSync, existsSync, fsyncSync, openSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Run } from './command.ts';
import { CommandFailure } from './command-failure.ts';
import { dataDirectory } from './data-directory.ts';
import { printJson } from './print-answer.ts';

/** Another process may lock the file briefly while it recovers the log. */
const BUSY_TIMEOUT_MS = 5_000;

/** Copies the store within one read transaction. A running server can write meanwhile. */
export const backup: Run = async (invocation) => {
  const source = join(dataDirectory(invocation), 'tollgate.db');
  const target = invocation.positional('FILE')!;
  if (!existsSync(source))
    throw new CommandFailure(`${source} does not exist; pass the data directory with --data`);
  // SQLite writes into an existing empty file. A file that SQLite creates would be readable by all users.
  const file = createFile(target);
  try {
    copyDatabase(source, target);
    fsyncSync(file);
  } catch (error) {
    rmSync(target, { force: true });
    throw new CommandFailure(`cannot copy ${source}: ${(error as Error).message}`);
  } finally {
    closeSync(file);
  }
  if (invocation.flag('json')) printJson(invocation, { file: target, bytes: statSync(target).size });
  else invocation.terminal.print(target);
  return 0;
};

function createFile(path: string): number {
  try {
    return openSync(path, 'wx', 0o600);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new CommandFailure(code === 'EEXIST' ? `${path} already exists` : `${path}: ${message}`);
  }
}

function copyDatabase(source: string, target: string): void {
  const database = new Database(source, { readonly: true });
  try {
    database.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    database.run('VACUUM INTO ?', [target]);
  } finally {
    database.close();
  }
}
