import type { ClaimedItem } from '../../../batches/stored/batch.ts';
import type { ClaimAsk, Claimed, ItemClaim } from '../../../batches/stored/batch-store.ts';
import { nullableNumber, number, text } from '../../row-columns.ts';
import type { Row, SqliteConnection } from '../sqlite-connection.ts';
import { OF_LEASE, selectParams } from './items.ts';

const renewSql = `UPDATE batch_item SET due_at = $leaseUntil WHERE ${OF_LEASE}`;

/** Claims items for each asker under a new attempt, and renews the leases of items at work. */
export function claimItems(connection: SqliteConnection, claim: ItemClaim): Claimed[] {
  for (const lease of claim.renewed) connection.run(renewSql, { ...lease, leaseUntil: claim.leaseUntil });
  return claim.asks.map((ask) => claimFor(connection, ask, claim));
}

/** The index has this order, so the query reads no more rows than the limit. */
const selectDueSql = `
  SELECT number, custom_id, request_id, state, attempt, failures, deaths, submission FROM batch_item
  WHERE batch = $sequence AND state = $state AND due_at <= $now ORDER BY deaths, number LIMIT $limit`;

const takeSql = `
  UPDATE batch_item SET state = 'running', attempt = $attempt, deaths = $deaths, due_at = $leaseUntil
  WHERE batch = $sequence AND number = $number`;

/** Claims queued items, and then those whose lease has ended. */
function claimFor(
  connection: SqliteConnection,
  { sequence, limit, leaseUntil }: ClaimAsk,
  { now }: ItemClaim,
): Claimed {
  const rows = connection.all(selectDueSql, { sequence, state: 'queued', now, limit });
  if (rows.length < limit) {
    const left = limit - rows.length;
    rows.push(...connection.all(selectDueSql, { sequence, state: 'running', now, limit: left }));
  }
  const items = rows.map((row): ClaimedItem => {
    const lease = { batch: sequence, number: number(row, 'number'), attempt: number(row, 'attempt') + 1 };
    // An item at a provider is not at work here, so the end of the server does not count against it.
    const hasLapsed = row.state === 'running' && row.submission === null;
    const deaths = number(row, 'deaths') + (hasLapsed ? 1 : 0);
    connection.run(takeSql, { sequence, number: lease.number, attempt: lease.attempt, deaths, leaseUntil });
    const params = selectParams(connection, sequence, lease.number) ?? '';
    return { ...itemOf(row), params, lease, deaths };
  });
  return { sequence, items, nextDueAt: rows.length < limit ? nextDueAt(connection, sequence) : now };
}

const itemOf = (row: Row) => ({
  customId: text(row, 'custom_id'),
  requestId: text(row, 'request_id'),
  failures: number(row, 'failures'),
  submission: nullableNumber(row, 'submission'),
});

const nextDueSql = `
  SELECT MIN(due_at) AS due_at FROM batch_item WHERE batch = $sequence AND state IN ('queued', 'running')`;

/** Returns the time at which the next item is due. `null` means that all items have a result. */
function nextDueAt(connection: SqliteConnection, sequence: number): number | null {
  const due = connection.first(nextDueSql, { sequence })?.due_at;
  return due === null || due === undefined ? null : Number(due);
}
