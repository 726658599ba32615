import type { PostgresMigration } from './migration.ts';

/** All migrations in order. Numbers have gaps while the schema is not released. */
export const migrations: readonly PostgresMigration[] = [];
