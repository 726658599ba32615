import type { PageRequest } from '../../money/accounts/account-store.ts';
import type { Alert, AlertDelivery, TrackedAlert } from '../../watch/alerts/alert.ts';
import type { AlertBounds } from '../../watch/alerts/alert-bounds.ts';
import type { AddAlert, AddedAlert } from '../../watch/alerts/alert-store.ts';
import { alertOfRow, deliveryOfRow } from '../alert-rows.ts';
import type { Row, SqliteConnection } from './connection.ts';

/** Adds an alert unless its occasion was reported, and keeps the bounds of its owner and its recipients. */
export function insertAlert(
  connection: SqliteConnection,
  { id, at, event, body, deliveries }: TrackedAlert,
  { occasion, owner = '', bounds }: AddAlert,
): AddedAlert {
  if (occasion) {
    connection.run('DELETE FROM alert_occasion WHERE until <= ?', [at]);
    const until = occasion.until ?? Number.MAX_SAFE_INTEGER;
    if (connection.run(insertOccasion, [occasion.name, until]) === 0)
      return { isNew: false, deliveries: [], removed: [] };
  }
  connection.run(insertRow, [id, at, event, body, owner]);
  const isOrganization = Number(owner !== '');
  const due = deliveries.map((delivery) => {
    const full = connection.first(selectRate, [delivery.webhook, isOrganization, bounds.rate - 1]);
    const dueAt = Math.max(delivery.nextAt, Number(full?.due_at ?? Number.NEGATIVE_INFINITY) + bounds.rateMs);
    const added = { ...delivery, nextAt: dueAt };
    connection.run(insertDelivery, { ...valuesOf(added), dueAt, isOrganization });
    return added;
  });
  const crowded = deliveries.flatMap(({ webhook }) =>
    dropBeyond(connection, { webhook, isOrganization, at, bounds, newest: id }),
  );
  const old = connection.all(selectBeyond, [owner, bounds.alerts]);
  const removed = old.flatMap((row) => remove(connection, row.id as string));
  return { isNew: true, deliveries: due, removed: [...crowded, ...removed] };
}

type Recipient = { webhook: string; isOrganization: number; at: number; bounds: AlertBounds; newest: string };

function dropBeyond(
  connection: SqliteConnection,
  { webhook, isOrganization, at, bounds, newest }: Recipient,
): AlertDelivery[] {
  const beyond = connection.all(selectWaitingBeyond, [webhook, isOrganization, newest, bounds.waiting]);
  return beyond.map((row) => {
    const dropped = { ...deliveryOfRow(row), state: 'dropped' as const, endedAt: at, error: bounds.error };
    updateAlertDelivery(connection, dropped);
    return dropped;
  });
}

function remove(connection: SqliteConnection, id: string): AlertDelivery[] {
  const waiting = deliveriesOf(connection, id).filter(({ state }) => state === 'waiting');
  connection.run('DELETE FROM alert_delivery WHERE alert_id = ?', [id]);
  connection.run('DELETE FROM alert WHERE id = ?', [id]);
  return waiting;
}

export function updateAlertDelivery(connection: SqliteConnection, delivery: AlertDelivery): void {
  connection.run(update, valuesOf(delivery));
}

export const selectWaitingDeliveries = (
  connection: SqliteConnection,
): { alert: Alert; delivery: AlertDelivery }[] =>
  connection.all(selectWaiting).map((row) => ({ alert: alertOfRow(row), delivery: deliveryOfRow(row) }));

/** Returns up to `limit` alerts older than `after`, newest first; none if `after` is unknown. */
export function selectAlerts(connection: SqliteConnection, { limit, after }: PageRequest): TrackedAlert[] {
  const before = after === undefined ? Number.MAX_SAFE_INTEGER : sequenceOf(connection, after);
  return connection.all(selectPage, [before, limit]).map((row) => tracked(connection, row));
}

export function selectAlert(connection: SqliteConnection, id: string): TrackedAlert | undefined {
  const row = connection.first('SELECT * FROM alert WHERE id = ?', [id]);
  return row && tracked(connection, row);
}

export function saveCreditMark(connection: SqliteConnection, accountId: string, microcredits: number): void {
  connection.run('INSERT OR REPLACE INTO credit_mark (account_id, microcredits) VALUES (?, ?)', [
    accountId,
    microcredits,
  ]);
}

/** Returns the balance after the account's latest purchase, or undefined if it has made none. */
export function selectCreditMark(connection: SqliteConnection, accountId: string): number | undefined {
  const row = connection.first('SELECT microcredits FROM credit_mark WHERE account_id = ?', [accountId]);
  return row?.microcredits as number | undefined;
}

export function extendOccasion(connection: SqliteConnection, name: string, until: number): void {
  connection.run('UPDATE alert_occasion SET until = max(until, ?) WHERE name = ?', [until, name]);
}

export const selectCreditMarks = (connection: SqliteConnection): Map<string, number> =>
  new Map(
    connection
      .all('SELECT account_id, microcredits FROM credit_mark')
      .map((row) => [row.account_id as string, row.microcredits as number]),
  );

const insertOccasion = 'INSERT OR IGNORE INTO alert_occasion (name, until) VALUES (?, ?)';

const insertDelivery = `
  INSERT INTO alert_delivery (
    alert_id, webhook, host, state, attempts, next_at, ended_at, status, error, is_organization, due_at
  )
  VALUES ($alertId, $webhook, $host, $state, $attempts, $nextAt, $endedAt, $status, $error, $isOrganization, $dueAt)`;

const insertRow = 'INSERT INTO alert (id, at, event, body, owner) VALUES (?, ?, ?, ?, ?)';

const selectRate = `
  SELECT due_at FROM alert_delivery WHERE webhook = ? AND is_organization = ?
  ORDER BY due_at DESC LIMIT 1 OFFSET ?`;

const selectWaitingBeyond = `
  SELECT * FROM alert_delivery WHERE webhook = ? AND is_organization = ? AND state = 'waiting'
  ORDER BY due_at DESC, alert_id = ? DESC LIMIT -1 OFFSET ?`;

const update = `
  UPDATE alert_delivery
  SET host = $host, state = $state, attempts = $attempts, next_at = $nextAt, ended_at = $endedAt,
    status = $status, error = $error
  WHERE alert_id = $alertId AND webhook = $webhook`;

const selectBeyond = 'SELECT id FROM alert WHERE owner = ? ORDER BY sequence DESC LIMIT -1 OFFSET ?';

const selectWaiting = `
  SELECT * FROM alert_delivery JOIN alert ON alert.id = alert_delivery.alert_id
  WHERE state = 'waiting' ORDER BY sequence, webhook`;

const selectPage = 'SELECT * FROM alert WHERE sequence < ? ORDER BY sequence DESC LIMIT ?';

const sequenceOf = (connection: SqliteConnection, id: string): number =>
  Number(connection.first('SELECT sequence FROM alert WHERE id = ?', [id])?.sequence ?? 0);

const deliveriesOf = (connection: SqliteConnection, id: string): AlertDelivery[] =>
  connection.all('SELECT * FROM alert_delivery WHERE alert_id = ? ORDER BY webhook', [id]).map(deliveryOfRow);

const tracked = (connection: SqliteConnection, row: Row): TrackedAlert => {
  const alert = alertOfRow(row);
  return { ...alert, deliveries: deliveriesOf(connection, alert.id) };
};

const valuesOf = (delivery: AlertDelivery) => ({ ...delivery });
