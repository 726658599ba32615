import { sealOf } from '../ledger/seal.ts';
import type { SqliteConnection } from '../sqlite-connection.ts';

/**
 * Computes what the statements of migration 9 cannot: the seals of existing rows, and the tokens of each
 * account's last day.
 */
export function sealLedger(connection: SqliteConnection): void {
  sealPositions(connection);
  sealHolds(connection);
  if (hadEntriesBeforeDays(connection)) recountTokenDays(connection);
}

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
    const requestId = String(row.request_id);
    const checkpoint = String(row.checkpoint);
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
    const rows = connection.all(selectTextsSql, { after, limit: AT_A_TIME });
    for (const { text } of rows) countTokens(days, String(text));
    if (rows.length < AT_A_TIME) break;
    after = Number(rows.at(-1)!.number);
  }
  for (const [accountId, last] of days) connection.run(saveDaySql, { accountId, ...last });
}

function countTokens(days: Map<string, { day: number; tokens: number }>, text: string): void {
  const used = usageIn(text);
  if (!used) return;
  const { accountId, day, tokens } = used;
  const last = days.get(accountId);
  if (!last || day > last.day) days.set(accountId, { day, tokens });
  else if (day === last.day) last.tokens += tokens;
}

/** Returns undefined if the entry is not usage of a plan's credits, or cannot be read. */
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

const selectTextsSql = 'SELECT number, text FROM entry WHERE number > $after ORDER BY number LIMIT $limit';
const saveDaySql = `
  INSERT INTO token_day (account_id, day, tokens) VALUES ($accountId, $day, $tokens)
  ON CONFLICT DO UPDATE SET day = $day, tokens = $tokens`;
