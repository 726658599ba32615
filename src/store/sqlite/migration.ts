import type { SqliteConnection } from './connection.ts';

/** A step of the schema. A released step is never edited, since every migrated database stores its checksum. */
export type Migration = {
  number: number;
  name: string;
  sql: string;
  /** Computes what SQL alone cannot. Runs after the SQL, in the same transaction. */
  fill?: (connection: SqliteConnection) => void;
};
