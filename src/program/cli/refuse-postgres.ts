import { configFileOf } from '../../settings/config/environment-overrides.ts';
import { loadConfig } from '../../settings/config/load-config.ts';
import { chosenDatabase } from './chosen-database.ts';
import { CommandFailure } from './command-failure.ts';
import type { Invocation } from './invocation.ts';

/** Refuses a command that copies data directories if the data is in Postgres. */
export async function refusePostgres(invocation: Invocation, command: 'backup' | 'restore'): Promise<void> {
  const setting = await settingOfDatabase(invocation);
  if (setting === undefined) return;
  const tool = { backup: 'pg_dump or continuous archiving', restore: 'pg_restore' }[command];
  const backup = 'pg_dump makes the backups of a Postgres database';
  throw new CommandFailure(
    `${setting} is set, and ${backup}; use ${tool}, or name the directory of an embedded store with --data`,
  );
}

/**
 * Names the setting that a server started here would follow, or returns undefined if
 * it would use the embedded store.
 */
async function settingOfDatabase(invocation: Invocation): Promise<string | undefined> {
  if (chosenDatabase(invocation) !== undefined) return 'DATABASE_URL';
  if (invocation.text('data') !== undefined) return undefined;
  const { environment } = invocation.terminal;
  const file = configFileOf(undefined, environment);
  const loaded = file === null ? undefined : await loadConfig({ file, environment });
  const isShared = loaded && 'config' in loaded && loaded.config.store.database_url !== null;
  return isShared ? `store.database_url of ${file}` : undefined;
}
