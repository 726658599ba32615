import type { SqliteConnection } from '../sqlite-connection.ts';

/** The amount charged on a key beyond its cap in the calendar month that starts at `month`. */
export type KeyExcess = { keyId: string; month: number; microcredits: number };

const selectExcessSql = `
  SELECT microcredits FROM key_excess WHERE account_id = $accountId AND key_id = $keyId AND month = $month`;

export const selectKeyExcess = (
  connection: SqliteConnection,
  of: { accountId: string; keyId: string; month: number },
): number => Number(connection.first(selectExcessSql, of)?.microcredits ?? 0);

const addToExcessSql = `
  INSERT INTO key_excess (account_id, key_id, month, microcredits)
  VALUES ($accountId, $keyId, $month, $microcredits)
  ON CONFLICT DO UPDATE SET microcredits = microcredits + $microcredits`;

export const addKeyExcess = (connection: SqliteConnection, added: KeyExcess & { accountId: string }): void =>
  void connection.run(addToExcessSql, added);

const selectExcessesSql = 'SELECT key_id, month, microcredits FROM key_excess WHERE account_id = $accountId';

export const selectKeyExcesses = (connection: SqliteConnection, accountId: string): KeyExcess[] =>
  connection.all(selectExcessesSql, { accountId }).map(({ key_id, month, microcredits }) => ({
    keyId: String(key_id),
    month: Number(month),
    microcredits: Number(microcredits),
  }));
