import type { Alert, AlertDelivery, Occasion, TrackedAlert } from '../../watch/alerts/alert.ts';
import type { AlertBounds } from '../../watch/alerts/alert-bounds.ts';
import type { AddAlert, AddedAlert, AlertStore } from '../../watch/alerts/alert-store.ts';
import { AlertRecords } from '../alert-records.ts';
import { alertOfRow, deliveryOfRow } from '../alert-rows.ts';
import { number, text } from '../row-columns.ts';
import type { GroupCommitWriter } from './group-commit-writer.ts';
import type { SqliteConnection } from './sqlite-connection.ts';
import type { SqliteQueries } from './sqlite-queries.ts';

const selectWaitingDeliveriesSql = `
  SELECT * FROM alert_delivery JOIN alert ON alert.id = alert_delivery.alert_id
  WHERE state = 'waiting' ORDER BY sequence, webhook`;

/** Alerts of one process, which holds all deliveries. */
export class SqliteAlerts extends AlertRecords implements AlertStore {
  readonly #queries: SqliteQueries;
  readonly #writer: GroupCommitWriter;

  constructor(queries: SqliteQueries, writer: GroupCommitWriter) {
    super(queries);
    this.#queries = queries;
    this.#writer = writer;
  }

  addAlert(alert: TrackedAlert, options: AddAlert): Promise<AddedAlert> {
    return this.#writer.write((connection) => insertAlert(connection, alert, options));
  }

  saveAlertDelivery(delivery: AlertDelivery): Promise<void> {
    return this.#writer.write((connection) => updateDelivery(connection, delivery));
  }

  async waitingAlertDeliveries(): Promise<{ alert: Alert; delivery: AlertDelivery }[]> {
    const rows = await this.#queries.all(selectWaitingDeliveriesSql);
    return rows.map((row) => ({ alert: alertOfRow(row), delivery: deliveryOfRow(row) }));
  }

  /** Returns true, since one process holds every delivery. */
  holdsAlertDelivery(): true {
    return true;
  }
}

const insertAlertSql = 'INSERT INTO alert (id, at, event, body, owner) VALUES (?, ?, ?, ?, ?)';
const selectOldAlertsSql = 'SELECT id FROM alert WHERE owner = ? ORDER BY sequence DESC LIMIT -1 OFFSET ?';

/** Adds an alert unless its occasion was reported, and keeps the bounds of its owner and its recipients. */
function insertAlert(
  connection: SqliteConnection,
  { id, at, event, body, deliveries }: TrackedAlert,
  { occasion, owner = '', bounds }: AddAlert,
): AddedAlert {
  if (occasion && !claimOccasion(connection, occasion, at))
    return { isNew: false, deliveries: [], removed: [] };
  connection.run(insertAlertSql, [id, at, event, body, owner]);
  const scope = { bounds, isOrganization: Number(owner !== ''), at, newest: id };
  const added = deliveries.map((delivery) => insertDelivery(connection, delivery, scope));
  const dropped = deliveries.flatMap(({ webhook }) => dropBeyondQueue(connection, webhook, scope));
  const oldAlerts = connection.all(selectOldAlertsSql, [owner, bounds.alerts]);
  const orphaned = oldAlerts.flatMap((row) => removeAlert(connection, text(row, 'id')));
  return { isNew: true, deliveries: added, removed: [...dropped, ...orphaned] };
}

const deleteOldOccasionsSql = 'DELETE FROM alert_occasion WHERE until <= ?';
const insertOccasionSql = 'INSERT OR IGNORE INTO alert_occasion (name, until) VALUES (?, ?)';

/** Records the occasion. Returns false if it is already recorded and has not expired. */
function claimOccasion(connection: SqliteConnection, { name, until }: Occasion, at: number): boolean {
  connection.run(deleteOldOccasionsSql, [at]);
  return connection.run(insertOccasionSql, [name, until ?? Number.MAX_SAFE_INTEGER]) > 0;
}

/** The alerts and deliveries that share bounds: either the gateway's or those of one organization. */
type AlertScope = {
  bounds: AlertBounds;
  isOrganization: number;
  /** The time and the id of the alert that is added. */
  at: number;
  newest: string;
};

const insertDeliverySql = `
  INSERT INTO alert_delivery (
    alert_id, webhook, host, state, attempts, next_at, ended_at, status, error, is_organization, due_at
  )
  VALUES ($alertId, $webhook, $host, $state, $attempts, $nextAt, $endedAt, $status, $error, $isOrganization, $dueAt)`;

const selectRateDeliverySql = `
  SELECT due_at FROM alert_delivery WHERE webhook = ? AND is_organization = ?
  ORDER BY due_at DESC LIMIT 1 OFFSET ?`;

/** Inserts a delivery. It is due when its recipient has got fewer alerts than the bound allows. */
function insertDelivery(
  connection: SqliteConnection,
  delivery: AlertDelivery,
  { bounds, isOrganization }: AlertScope,
): AlertDelivery {
  const row = connection.first(selectRateDeliverySql, [delivery.webhook, isOrganization, bounds.rate - 1]);
  const dueAt = row ? Math.max(delivery.nextAt, number(row, 'due_at') + bounds.rateMs) : delivery.nextAt;
  const added = { ...delivery, nextAt: dueAt };
  connection.run(insertDeliverySql, { ...added, dueAt, isOrganization });
  return added;
}

const selectBeyondQueueSql = `
  SELECT * FROM alert_delivery WHERE webhook = ? AND is_organization = ? AND state = 'waiting'
  ORDER BY due_at DESC, alert_id = ? DESC LIMIT -1 OFFSET ?`;

/** Drops the oldest waiting deliveries of a recipient beyond the bound. */
function dropBeyondQueue(
  connection: SqliteConnection,
  webhook: string,
  { bounds, isOrganization, at, newest }: AlertScope,
): AlertDelivery[] {
  const waiting = connection.all(selectBeyondQueueSql, [webhook, isOrganization, newest, bounds.waiting]);
  return waiting.map((row) => {
    const dropped = { ...deliveryOfRow(row), state: 'dropped' as const, endedAt: at, error: bounds.error };
    updateDelivery(connection, dropped);
    return dropped;
  });
}

const deleteDeliveriesSql = 'DELETE FROM alert_delivery WHERE alert_id = ?';
const deleteAlertSql = 'DELETE FROM alert WHERE id = ?';

/** Deletes an alert. Returns its waiting deliveries. */
function removeAlert(connection: SqliteConnection, id: string): AlertDelivery[] {
  const waiting = deliveriesOf(connection, id).filter(({ state }) => state === 'waiting');
  connection.run(deleteDeliveriesSql, [id]);
  connection.run(deleteAlertSql, [id]);
  return waiting;
}

const updateDeliverySql = `
  UPDATE alert_delivery
  SET host = $host, state = $state, attempts = $attempts, next_at = $nextAt, ended_at = $endedAt,
    status = $status, error = $error
  WHERE alert_id = $alertId AND webhook = $webhook`;

function updateDelivery(connection: SqliteConnection, delivery: AlertDelivery): void {
  connection.run(updateDeliverySql, { ...delivery });
}

const selectDeliveriesSql = 'SELECT * FROM alert_delivery WHERE alert_id = ? ORDER BY webhook';

const deliveriesOf = (connection: SqliteConnection, id: string): AlertDelivery[] =>
  connection.all(selectDeliveriesSql, [id]).map(deliveryOfRow);
