import type { SchemaStep } from '../schema-step.ts';

/**
 * A step of the schema. It adds and never takes away, since nodes of the previous version run beside it
 * during an upgrade.
 */
export type PostgresMigration = SchemaStep & {
  /** The newest migration that a program must know to use this schema. Undefined if every program can. */
  needs?: number;
};

/**
 * The schema of a version. `functions` are the statements that define its functions. They are installed
 * whenever a migration was applied, so a change of a function needs a new migration.
 */
export type PostgresSchema = { migrations: readonly PostgresMigration[]; functions: readonly string[] };
