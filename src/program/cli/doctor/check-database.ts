import type { Check } from './check.ts';

/** Checks the Postgres database of the configuration, if it has one. */
export const checkDatabase: Check = async ({ config }) => {
  const { database_url: databaseUrl } = config.store;
  if (databaseUrl === null) return [];
  // Postgres is loaded only if it is configured.
  const { checkPostgres } = await import('./check-postgres.ts');
  return checkPostgres(config, databaseUrl);
};
