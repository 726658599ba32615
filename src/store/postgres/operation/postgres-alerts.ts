import type { Alert, AlertDelivery, TrackedAlert } from '../../../watch/alerts/alert.ts';
import type { AddAlert, AddedAlert, AlertStore } from '../../../watch/alerts/alert-store.ts';
import { AlertRecords } from '../../alert-records.ts';
import { alertOfRow, deliveryOfRow } from '../../alert-rows.ts';
import type { PostgresRow } from '../database.ts';
import { PostgresQueries } from '../postgres-queries.ts';
import type { Queries } from '../queries.ts';

/**
 * A process that does not renew its deliveries for this long has ended or is cut off.
 * An attempt takes at most 10 s.
 */
const HOLD_MS = 30_000;

const addAlertSql = `
  SELECT ring_alert($1::text::jsonb, $2::text, $3::text, $4::bigint, $5::text, $6::bigint, $7::text::jsonb) AS added`;

const saveDeliverySql = `
  UPDATE alert_delivery
  SET host = $3, state = $4, attempts = $5, next_at = $6, ended_at = $7, status = $8, error = $9
  WHERE alert_id = $1 AND webhook = $2 AND (held_by = $10 OR $4 = 'delivered')`;

const takeDeliveriesSql = `
  SELECT taken.*, alert.id, alert.at, alert.event, alert.body
  FROM take_deliveries($1::text, $2::bigint) AS taken JOIN alert ON alert.id = taken.alert_id
  ORDER BY alert.sequence, taken.webhook`;

const holdDeliverySql = `
  WITH held AS (
    UPDATE alert_delivery SET held_by = $3, held_until = now_ms() + $4::bigint
    WHERE alert_id = $1 AND webhook = $2 AND state = 'waiting' AND (held_by = $3 OR held_until <= now_ms())
    RETURNING 1
  )
  SELECT EXISTS (SELECT FROM held)
    OR NOT EXISTS (SELECT FROM alert_delivery WHERE alert_id = $1 AND webhook = $2) AS is_mine`;

const releaseDeliveriesSql = `UPDATE alert_delivery SET held_until = 0 WHERE held_by = $1 AND state = 'waiting'`;

/**
 * Alerts, their deliveries and their occasions.
 * A delivery is held by one process at a time, which attempts it.
 */
export class PostgresAlerts extends AlertRecords implements AlertStore {
  readonly #queries: Queries;
  readonly #holder: string;
  readonly #holdMs: number;

  /** `holder` is the name of this process. No other process, before or after it, may have the same one. */
  constructor(queries: Queries, holder: string, holdMs = HOLD_MS) {
    super(new PostgresQueries(queries));
    this.#queries = queries;
    this.#holder = holder;
    this.#holdMs = holdMs;
  }

  async addAlert(
    { body, ...alert }: TrackedAlert,
    { occasion, owner = '', bounds }: AddAlert,
  ): Promise<AddedAlert> {
    const until = occasion === undefined ? null : (occasion.until ?? Number.MAX_SAFE_INTEGER);
    // biome-ignore format: a line for each group
    const row = await this.#queries.first(addAlertSql, [
      JSON.stringify({ ...alert, owner }), body, occasion?.name ?? null, until,
      this.#holder, this.#holdMs, JSON.stringify(bounds),
    ]);
    const { isNew, deliveries, removed } = row?.added as { isNew: boolean } & Record<
      'deliveries' | 'removed',
      PostgresRow[]
    >;
    return { isNew, deliveries: deliveries.map(deliveryOfRow), removed: removed.map(deliveryOfRow) };
  }

  /**
   * A success is recorded no matter which process holds the delivery. Any other outcome is recorded only
   * while this process holds it.
   */
  async saveAlertDelivery(delivery: AlertDelivery): Promise<void> {
    const { alertId, webhook, host, state, attempts, nextAt, endedAt, status, error } = delivery;
    // biome-ignore format: a line for each group
    await this.#queries.run(saveDeliverySql, [
      alertId, webhook, host, state, attempts, nextAt, endedAt, status, error, this.#holder,
    ]);
  }

  async waitingAlertDeliveries(): Promise<{ alert: Alert; delivery: AlertDelivery }[]> {
    const rows = await this.#queries.all(takeDeliveriesSql, [this.#holder, this.#holdMs]);
    return rows.map((row) => ({ alert: alertOfRow(row), delivery: deliveryOfRow(row) }));
  }

  /**
   * A delivery that is not stored belongs to this process, since an alert is sent even if the store refused
   * it.
   */
  async holdsAlertDelivery({ alertId, webhook }: AlertDelivery): Promise<boolean> {
    const row = await this.#queries.first(holdDeliverySql, [alertId, webhook, this.#holder, this.#holdMs]);
    return row?.is_mine === true;
  }

  /** Lets other processes take the deliveries at once. */
  async close(): Promise<void> {
    // Without the database, the others take them once the hold expires.
    await this.#queries.run(releaseDeliveriesSql, [this.#holder]).catch(() => {});
  }
}
