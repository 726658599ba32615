import { configFileOf } from '../../settings/config/environment-overrides.ts';
import { loadConfig } from '../../settings/config/load-config.ts';
import { chosenDatabase } from './chosen-database.ts';
import { CommandFailure } from './command-failure.ts';
import type { Invocation } from './invocation.ts';

const remedies = {
  backup: 'use pg_dump or continuous archiving',
  restore: 'use pg_restore',
} as const;

/** Refuses a command that copies data directories if the data is in Postgres. */
export async function refusePostgres(invocation: Invocation, command: keyof typeof remedies): Promise<void> {
  const setting = await settingOfDatabase(invocation);
  if (setting === undefined) return;
  throw new CommandFailure(
    `${setting} is set, and pg_dump makes the backups of a Postgres database; ${remedies[command]}, or name the directory of an embedded store with --data`,
  );
}

/**
 * Names the setting that a server started here would follow. Returns undefined if it would use the embedded
 * store, or could not start with its configuration.
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
