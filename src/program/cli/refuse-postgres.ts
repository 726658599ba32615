import { chosenDatabase } from './chosen-database.ts';
import { CommandFailure } from './command-failure.ts';
import type { Invocation } from './invocation.ts';

/** Refuses a command that copies data directories if the data is in Postgres. */
export function refusePostgres(invocation: Invocation, command: 'backup' | 'restore'): void {
  if (chosenDatabase(invocation) === undefined) return;
  const tool = { backup: 'pg_dump or continuous archiving', restore: 'pg_restore' }[command];
  const backup = 'pg_dump makes the backups of a Postgres database';
  throw new CommandFailure(
    `DATABASE_URL is set, and ${backup}; use ${tool}, or name the directory of an embedded store with --data`,
  );
}
