import type { Account } from '../../money/accounts/account.ts';
import type { AccountPage } from '../../money/accounts/account-store.ts';
import type { Bindings, Row, SqliteConnection } from './connection.ts';

/** Inserts `account` at the end of the list. Throws if its id is taken. */
export function insertAccount(connection: SqliteConnection, account: Account): void {
  connection.run(insert, { id: account.id, createdAt: account.createdAt, ...changeable(account) });
}

/**
 * Writes the mutable fields if the stored version equals the account's, and increments the version. Returns false if nothing was written.
 */
export function updateAccount(connection: SqliteConnection, account: Account): boolean {
  return connection.run(update, { id: account.id, ...changeable(account) }) === 1;
}

/** Returns the account, or undefined if the id is unknown. */
export function selectAccount(connection: SqliteConnection, id: string): Account | undefined {
  const row = connection.first('SELECT * FROM account WHERE id = $id', { id });
  return row && accountOf(row);
}

/** Returns up to `limit` accounts created after the account `after`; none if `after` is unknown. */
export function selectAccounts(
  connection: SqliteConnection,
  { limit, after, search }: AccountPage,
): Account[] {
  const page = { limit, after: after ?? null };
  const rows =
    search === undefined
      ? connection.all(selectPage(''), page)
      : connection.all(selectPage(fitsSearch), { ...page, search });
  return rows.map(accountOf);
}

const insert = `
  INSERT INTO account (
    id, name, email, email_verified, plan, pending_plan, status, price_usd_per_month, plan_overrides,
    unpaid_from, hosted_tools_stopped, cycle_started_at, cycle_day, created_at, version
  ) VALUES (
    $id, $name, $email, $emailVerified, $plan, $pendingPlan, $status, $priceUsdPerMonth, $planOverrides,
    $unpaidFrom, $hostedToolsStopped, $cycleStartedAt, $cycleDay, $createdAt, $version
  )`;

const update = `
  UPDATE account SET
    name = $name, email = $email, email_verified = $emailVerified, plan = $plan, pending_plan = $pendingPlan,
    status = $status, price_usd_per_month = $priceUsdPerMonth, plan_overrides = $planOverrides,
    unpaid_from = $unpaidFrom, hosted_tools_stopped = $hostedToolsStopped,
    cycle_started_at = $cycleStartedAt, cycle_day = $cycleDay, version = $version + 1
  WHERE id = $id AND version = $version`;

const selectPage = (condition: string): string => `
  SELECT * FROM account
  WHERE sequence > CASE WHEN $after IS NULL THEN 0 ELSE (SELECT sequence FROM account WHERE id = $after) END ${condition}
  ORDER BY sequence LIMIT $limit`;

/** `lower` changes only ASCII. A scan of 100,000 accounts takes about 20 ms. */
const fitsSearch = `AND (
  instr(lower(name), lower($search)) > 0 OR instr(lower(email), lower($search)) > 0
  OR instr(lower(id), lower($search)) = 1
)`;

function changeable(account: Account): Bindings {
  const { id: _id, createdAt: _at, daysGranted: _days, emailVerified, planOverrides, ...asTheyAre } = account;
  return {
    ...asTheyAre,
    emailVerified: emailVerified ? 1 : 0,
    hostedToolsStopped: account.hostedToolsStopped ? 1 : 0,
    planOverrides: planOverrides && JSON.stringify(planOverrides),
  };
}

/** The table's checks and its single writer guarantee the types. */
function accountOf(row: Row): Account {
  return {
    id: row.id as string,
    name: row.name as string,
    email: row.email as string | null,
    emailVerified: row.email_verified === 1,
    plan: row.plan as Account['plan'],
    pendingPlan: row.pending_plan as Account['pendingPlan'],
    status: row.status as Account['status'],
    priceUsdPerMonth: row.price_usd_per_month as number | null,
    planOverrides: row.plan_overrides === null ? null : JSON.parse(row.plan_overrides as string),
    unpaidFrom: row.unpaid_from as number | null,
    ...(row.hosted_tools_stopped === 1 && { hostedToolsStopped: true }),
    cycleStartedAt: row.cycle_started_at as number,
    cycleDay: row.cycle_day as number,
    createdAt: row.created_at as number,
    version: row.version as number,
  };
}
