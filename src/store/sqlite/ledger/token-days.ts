import type { DayTokens } from '../../../money/ledger/token-day.ts';
import type { SqliteConnection } from '../sqlite-connection.ts';

/** Returns the account's latest day with tokens that its plan paid for. */
export function selectDayTokens(connection: SqliteConnection, accountId: string): DayTokens {
  const row = connection.first('SELECT day, tokens FROM token_day WHERE account_id = $accountId', {
    accountId,
  });
  return { day: Number(row?.day ?? 0), tokens: Number(row?.tokens ?? 0) };
}

const addSql = `
  INSERT INTO token_day (account_id, day, tokens) VALUES ($accountId, $day, $tokens)
  ON CONFLICT DO UPDATE SET
    tokens = CASE WHEN day = $day THEN tokens ELSE 0 END + $tokens, day = $day
  WHERE day <= $day`;

/** Adds to a day's tokens, unless a later day has begun. */
export const addDayTokens = (
  connection: SqliteConnection,
  added: { accountId: string; day: number; tokens: number },
): void => void connection.run(addSql, added);
