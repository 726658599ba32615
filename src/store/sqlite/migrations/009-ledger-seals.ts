import type { SqliteConnection } from '../connection.ts';
import { sealOf } from '../ledger/seal.ts';
import type { Migration } from '../migration.ts';

/**
 * `seal` is a checksum over the other columns (`ledger/seal.ts`). The seal of `confirmed` also covers all ranges in `unconfirmed`. From
 * this version on, `summed` and `confirmed` are always numbers of existing entries. An account in `quarantine` is not served until it is
 * repaired.
 */
export const ledgerSeals: Migration = {
  number: 9,
  name: 'ledger-seals',
  sql: `
    ALTER TABLE summed ADD COLUMN seal TEXT NOT NULL DEFAULT '';
    ALTER TABLE confirmed ADD COLUMN seal TEXT NOT NULL DEFAULT '';
    ALTER TABLE open_hold ADD COLUMN seal TEXT NOT NULL DEFAULT '';

    UPDATE summed SET number = (SELECT COALESCE(MAX(entry.number), 0) FROM entry WHERE entry.number <= summed.number);
    UPDATE confirmed
    SET number = (SELECT COALESCE(MAX(entry.number), 0) FROM entry WHERE entry.number <= confirmed.number);

    CREATE TABLE quarantine (
      account_id TEXT PRIMARY KEY,
      since INTEGER NOT NULL,
      reason TEXT NOT NULL,
      seal TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
  `,
  fill(connection) {
    sealPositions(connection);
    sealHolds(connection);
    if (hadEntriesBeforeDays(connection)) recountTokenDays(connection);
  },
};

function sealPositions(connection: SqliteConnection): void {
  const numberIn = (table: string) => Number(connection.first(`SELECT number FROM ${table}`)?.number ?? 0);
  connection.run('UPDATE summed SET seal = $seal', { seal: sealOf('summed', numberIn('summed')) });
  const ranges = connection
    .all('SELECT first, last FROM unconfirmed ORDER BY first')
    .flatMap(({ first, last }) => [Number(first), Number(last)]);
  const seal = sealOf('confirmed', numberIn('confirmed'), ...ranges);
  connection.run('UPDATE confirmed SET seal = $seal', { seal });
}

function sealHolds(connection: SqliteConnection): void {
  for (const row of connection.all('SELECT request_id, checkpoint FROM open_hold')) {
    const [requestId, checkpoint] = [String(row.request_id), String(row.checkpoint)];
    connection.run('UPDATE open_hold SET seal = $seal WHERE request_id = $requestId', {
      requestId,
      seal: sealOf('open_hold', requestId, checkpoint),
    });
  }
}

/** Migration 4 began to count tokens by day, without the entries that existed. */
function hadEntriesBeforeDays(connection: SqliteConnection): boolean {
  const [third, fourth] = connection.all(
    'SELECT applied_at FROM migration WHERE number IN (3, 4) ORDER BY number',
  );
  return third?.applied_at !== fourth?.applied_at;
}

const DAY_MS = 86_400_000;
const AT_A_TIME = 1_000;
type UsageText = [
  accountId: string,
  sequence: number,
  at: number,
  kind: string,
  period: string,
  ...rest: unknown[],
];

function recountTokenDays(connection: SqliteConnection): void {
  const days = new Map<string, { day: number; tokens: number }>();
  for (let after = 0; ; ) {
    const rows = connection.all(selectTexts, { after, limit: AT_A_TIME });
    for (const { text } of rows) countTokens(days, String(text));
    if (rows.length < AT_A_TIME) break;
    after = Number(rows.at(-1)!.number);
  }
  for (const [accountId, last] of days) connection.run(saveDay, { accountId, ...last });
}

function countTokens(days: Map<string, { day: number; tokens: number }>, text: string): void {
  const used = usageIn(text);
  if (!used) return;
  const { accountId, day, tokens } = used;
  const last = days.get(accountId);
  if (!last || day > last.day) days.set(accountId, { day, tokens });
  else if (day === last.day) last.tokens += tokens;
}

/** Undefined: the entry is not usage of a plan's credits, or cannot be read. */
function usageIn(text: string) {
  try {
    const values = JSON.parse(text) as UsageText;
    const [accountId, , at, kind, period] = values;
    if (kind !== 'usage' || period === 'purchased') return undefined;
    const [input, , , output] = (values[7] as [string, string, string, string, number[]])[4];
    return { accountId, day: Math.floor(at / DAY_MS), tokens: input! + output! };
  } catch {
    return undefined;
  }
}

const selectTexts = 'SELECT number, text FROM entry WHERE number > $after ORDER BY number LIMIT $limit';
const saveDay = `
  INSERT INTO token_day (account_id, day, tokens) VALUES ($accountId, $day, $tokens)
  ON CONFLICT DO UPDATE SET day = $day, tokens = $tokens`;
