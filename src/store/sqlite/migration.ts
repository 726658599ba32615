import type { SqliteConnection } from './connection.ts';

/**
 * A step of the schema. Once released it is never edited: its checksum stands in every database that took
 * it.
 */
export type Migration = {
  number: number;
  name: string;
  sql: string;
  /** What SQL alone cannot compute, behind it in the same transaction. */
  fill?: (connection: SqliteConnection) => void;
};
