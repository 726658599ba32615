import type { JobLease } from '../../../base/jobs/job.ts';
import type { ClaimedItem, NewItem } from '../../../batches/stored/batch.ts';
import type { Claimed, ItemClaim, PutBack } from '../../../batches/stored/batch-store.ts';
import { foundText, nullableNumber, number, text } from '../../row-columns.ts';
import type { PostgresRow } from '../database.ts';
import type { Queries } from '../queries.ts';

/** A look at items that another node works on is repeated after this time. */
const LOOK_AGAIN_MS = 200;
/** The time until a look at items whose submission another node has. The end of that node is announced. */
const OTHERS_MS = 30_000;

const insertItemsSql = `
  WITH staged AS (
    SELECT sequence FROM batch WHERE sequence = $1 AND staged FOR SHARE
  ), given AS (
    SELECT sequence, $2::integer + place::integer - 1 AS number, custom_id, request_id, params
    FROM staged,
      unnest($3::text[], $4::text[], $5::text[]) WITH ORDINALITY AS item (custom_id, request_id, params, place)
  ), requests AS (
    INSERT INTO batch_request (batch, number, params) SELECT sequence, number, params FROM given
  )
  INSERT INTO batch_item (batch, number, custom_id, request_id)
  SELECT sequence, number, custom_id, request_id FROM given RETURNING number`;

/** Stores items of a batch that is still staged. Returns false if the batch was removed. */
export async function writeItems(
  queries: Queries,
  { sequence, first, items }: { sequence: number; first: number; items: readonly NewItem[] },
): Promise<boolean> {
  const rows = await queries.all(insertItemsSql, [
    sequence,
    first,
    items.map(({ customId }) => customId),
    items.map(({ requestId }) => requestId),
    items.map(({ params }) => params),
  ]);
  return rows.length > 0;
}

/** A node that was closed and serves on under a new id adopts the items that it still works on. */
const renewSql = `
  UPDATE batch_item AS item SET due_at = $4, node = $5
  FROM (
    SELECT mine.batch, mine.number FROM batch_item AS mine
    JOIN unnest($1::bigint[], $2::integer[], $3::integer[]) AS lease (batch, number, attempt)
      ON mine.batch = lease.batch AND mine.number = lease.number AND mine.attempt = lease.attempt
    WHERE mine.state = 'running' AND (SELECT node_is_open($5)) ORDER BY mine.batch, mine.number FOR UPDATE OF mine
  ) AS kept
  WHERE item.batch = kept.batch AND item.number = kept.number`;

const claimAllSql = `
  SELECT ask.batch, item.*
  FROM unnest($3::bigint[], $4::integer[], $5::bigint[]) AS ask (batch, most, lease_until),
    LATERAL claim_items($1, ask.batch, ask.most, $2, ask.lease_until) AS item`;

/** Renews leases, and claims items for each asker. */
export async function claimFor(queries: Queries, node: string, claim: ItemClaim): Promise<Claimed[]> {
  const { asks, now, leaseUntil, renewed } = claim;
  if (renewed.length > 0) await queries.run(renewSql, [...leaseLists(renewed), leaseUntil, node]);
  if (asks.length === 0) return [];
  const sequences = asks.map(({ sequence }) => sequence);
  const rows = await queries.all(claimAllSql, [
    node,
    now,
    sequences,
    asks.map(({ limit }) => limit),
    asks.map((ask) => ask.leaseUntil),
  ]);
  const claimed = asks.map(({ sequence, limit }) => {
    const items = rows.filter(({ batch }) => batch === sequence).map(claimedItem);
    return { sequence, items, limit };
  });
  const due = await dueTimes(queries, node, { sequences, now });
  return claimed.map(({ sequence, items, limit }) => ({
    sequence,
    items,
    nextDueAt: items.length < limit ? nextLook(due.get(sequence), now) : now,
  }));
}

/** An item that is due and was not claimed is locked by another node for a moment. */
const nextLook = (dueAt: number | undefined, now: number): number | null =>
  dueAt === undefined ? null : Math.max(dueAt, now + LOOK_AGAIN_MS);

const selectDueSql = `
  SELECT item.batch, min(
    CASE WHEN sent.node IS NOT NULL AND sent.node <> $2 THEN $3 ELSE item.due_at END
  )::bigint AS due_at
  FROM batch_item AS item LEFT JOIN native_submission AS sent ON sent.id = item.submission
  WHERE item.batch = ANY ($1::bigint[]) AND item.state IN ('queued', 'running')
  GROUP BY item.batch`;

async function dueTimes(
  queries: Queries,
  node: string,
  { sequences, now }: { sequences: number[]; now: number },
): Promise<Map<number, number>> {
  const rows = await queries.all(selectDueSql, [sequences, node, now + OTHERS_MS]);
  return new Map(rows.map(({ batch, due_at }) => [Number(batch), Number(due_at)]));
}

const giveUpHoldSql = `
  UPDATE open_hold SET node = ''
  WHERE node = $4 AND request_id = (
    SELECT request_id FROM batch_item
    WHERE batch = $1 AND number = $2 AND attempt = $3 AND state = 'running' AND submission IS NOT NULL)`;

const putBackSql = `
  WITH returned AS (
    UPDATE batch_item SET
      state = 'queued', due_at = $4, failures = failures + $5::boolean::integer,
      submission = CASE WHEN $5 THEN NULL ELSE submission END
    WHERE batch = $1 AND number = $2 AND attempt = $3 AND state = 'running' RETURNING submission
  )
  UPDATE native_submission SET node = NULL
  WHERE node = $6 AND id IN (SELECT submission FROM returned)`;

/**
 * Puts an item back. If it is at a provider, the node that claims it takes over its submission and its hold.
 * The hold is given up first, so that it is free when the item can be claimed.
 */
export async function returnItem(queries: Queries, node: string, { lease, dueAt, failed }: PutBack) {
  const { batch, number, attempt } = lease;
  if (!failed) await queries.run(giveUpHoldSql, [batch, number, attempt, node]);
  await queries.run(putBackSql, [batch, number, attempt, dueAt, failed, node]);
}

/** Returns the places and attempts of leases as columns, in an order that all writers share. */
export function leaseLists(leases: readonly JobLease[]): number[][] {
  const sorted = leases.toSorted((a, b) => a.batch - b.batch || a.number - b.number);
  return [
    sorted.map(({ batch }) => batch),
    sorted.map(({ number }) => number),
    sorted.map(({ attempt }) => attempt),
  ];
}

const claimedItem = (row: PostgresRow): ClaimedItem => ({
  customId: text(row, 'custom_id'),
  requestId: text(row, 'request_id'),
  params: foundText(row, 'params') ?? '',
  lease: { batch: number(row, 'batch'), number: number(row, 'number'), attempt: number(row, 'attempt') },
  failures: number(row, 'failures'),
  deaths: number(row, 'deaths'),
  submission: nullableNumber(row, 'submission'),
});
