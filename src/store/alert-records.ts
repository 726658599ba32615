import type { Page, PageRequest } from '../money/accounts/account-store.ts';
import type { Alert, AlertDelivery, TrackedAlert } from '../watch/alerts/alert.ts';
import type { AlertStore } from '../watch/alerts/alert-store.ts';
import { alertOfRow, deliveryOfRow } from './alert-rows.ts';
import type { CommonRow } from './common-queries.ts';
import { pageOf } from './page-of.ts';
import type { RecordQueries } from './record-queries.ts';
import { number, text } from './row-columns.ts';

type Port = Pick<
  AlertStore,
  'extendOccasion' | 'listAlerts' | 'findAlert' | 'saveCreditMark' | 'creditMark' | 'creditMarks'
>;

/** Lists nothing after an unknown alert, since the comparison with null is not true. */
const olderThanSql = `
  SELECT * FROM alert WHERE sequence < (SELECT sequence FROM alert WHERE id = $2) ORDER BY sequence DESC LIMIT $1`;

/**
 * Lists of alerts, occasions and marks of credit, in both kinds of databases.
 * A store adds how deliveries are held.
 */
export class AlertRecords implements Port {
  readonly #queries: RecordQueries;

  constructor(queries: RecordQueries) {
    this.#queries = queries;
  }

  async extendOccasion(name: string, until: number): Promise<void> {
    await this.#queries.run('UPDATE alert_occasion SET until = $2 WHERE name = $1 AND until < $2', [
      name,
      until,
    ]);
  }

  async listAlerts({ limit, after }: PageRequest): Promise<Page<TrackedAlert>> {
    const rows = await (after === undefined
      ? this.#queries.all('SELECT * FROM alert ORDER BY sequence DESC LIMIT $1', [limit + 1])
      : this.#queries.all(olderThanSql, [limit + 1, after]));
    const { items, hasMore } = pageOf(rows, limit);
    return { items: await this.#track(items), hasMore };
  }

  async findAlert(id: string): Promise<TrackedAlert | undefined> {
    return (await this.#track(await this.#queries.all('SELECT * FROM alert WHERE id = $1', [id])))[0];
  }

  /** Saves a mark, and notifies the other processes, which keep the marks in memory. */
  async saveCreditMark(accountId: string, microcredits: number): Promise<void> {
    await this.#queries.change(
      { kind: 'mark' },
      (statement) => `
        ${statement.insert('credit_mark', { account_id: accountId, microcredits })}
        ON CONFLICT (account_id) DO UPDATE SET microcredits = excluded.microcredits RETURNING account_id AS id`,
    );
  }

  async creditMarks(): Promise<Map<string, number>> {
    const rows = await this.#queries.all('SELECT account_id, microcredits FROM credit_mark');
    return new Map(rows.map((row) => [text(row, 'account_id'), number(row, 'microcredits')]));
  }

  async creditMark(accountId: string): Promise<number | undefined> {
    const [row] = await this.#queries.all('SELECT microcredits FROM credit_mark WHERE account_id = $1', [
      accountId,
    ]);
    return row && number(row, 'microcredits');
  }

  /** Reads alerts with their deliveries. */
  async #track(rows: readonly CommonRow[]): Promise<TrackedAlert[]> {
    const alerts: Alert[] = rows.map(alertOfRow);
    const ids = this.#queries.forms.rowsOf('$1', { id: 'text' });
    const text = `SELECT * FROM alert_delivery WHERE alert_id IN (SELECT id FROM ${ids}) ORDER BY webhook`;
    const deliveryRows = await this.#queries.all(text, [JSON.stringify(alerts.map(({ id }) => ({ id })))]);
    const deliveries: AlertDelivery[] = deliveryRows.map(deliveryOfRow);
    return alerts.map((alert) => ({
      ...alert,
      deliveries: deliveries.filter(({ alertId }) => alertId === alert.id),
    }));
  }
}
