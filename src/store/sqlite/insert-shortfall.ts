import type { SqliteConnection } from './sqlite-connection.ts';

type Shortfall = { entryId: string; accountId: string; at: number; microcredits: number };

/** Writes a shortfall in the transaction of its entry. */
export const insertShortfall = (connection: SqliteConnection, shortfall: Shortfall): void =>
  void connection.run(
    `INSERT INTO shortfall (entry_id, account_id, at, microcredits)
      VALUES ($entryId, $accountId, $at, $microcredits) ON CONFLICT DO NOTHING`,
    shortfall,
  );
