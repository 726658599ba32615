import type { SchemaStep } from '../schema-step.ts';

/**
 * A step of the schema. Nodes of the previous version run next to it during an upgrade, so it adds and never
 * takes away. One that the previous version cannot work with says so in `needs`.
 */
export type PostgresMigration = SchemaStep & {
  /**
   * The newest migration that a program must know to work with this schema.
   * It is undefined if any program may.
   */
  needs?: number;
};

/**
 * The schema of a version. `functions` are the statements that define its functions. They are installed
 * whenever a migration was applied, so a change of a function needs a new migration.
 */
export type PostgresSchema = { migrations: readonly PostgresMigration[]; functions: readonly string[] };
