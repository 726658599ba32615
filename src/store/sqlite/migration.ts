import type { SchemaStep } from '../schema-step.ts';
import type { SqliteConnection } from './sqlite-connection.ts';

/** A step of the schema of the embedded store. */
export type Migration = SchemaStep & {
  /** Computes what SQL alone cannot. Runs after the SQL, in the same transaction. */
  fill?: (connection: SqliteConnection) => void;
};
