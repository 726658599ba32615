import type { JobLease } from '../../../base/jobs/job.ts';
import type { Submission } from '../../../batches/native/native-store.ts';
import { number, text } from '../../row-columns.ts';
import { SqlStatement } from '../../sql-statement.ts';
import { submissionOfRow } from '../../submission-of-row.ts';
import type { Queries } from '../queries.ts';
import { leaseLists } from './item-queries.ts';

const joinSql = `
  UPDATE batch_item AS item SET submission = $4
  FROM unnest($1::bigint[], $2::integer[], $3::integer[]) AS lease (batch, number, attempt)
  WHERE item.batch = lease.batch AND item.number = lease.number AND item.attempt = lease.attempt
    AND item.state = 'running' AND (SELECT node_is_open($5))`;

/**
 * Inserts a submission, and sets its number on its items.
 * Returns the number of these items that still belong to their attempt.
 */
export async function writeSubmission(
  queries: Queries,
  node: string,
  { submission, items }: { submission: Submission; items: readonly JobLease[] },
): Promise<{ id: number; joined: number }> {
  const columns = {
    batch: submission.batch,
    provider: submission.provider,
    wire: submission.wire,
    upstream_model: submission.upstreamModel,
    upstream_id: submission.upstreamId,
    node,
    mark: submission.mark,
    sent_at: submission.sentAt,
    size: submission.size,
  };
  const statement = new SqlStatement();
  const insertion = `${statement.insert('native_submission', columns)} RETURNING id`;
  const id = number(await queries.first(insertion, statement.values), 'id');
  return { id, joined: await queries.run(joinSql, [...leaseLists(items), id, node]) };
}

export async function readSubmission(queries: Queries, id: number): Promise<Submission | undefined> {
  const row = await queries.first('SELECT * FROM native_submission WHERE id = $1', [id]);
  return row && submissionOfRow(row);
}

const selectKnownSql = `
  SELECT upstream_id AS id FROM native_submission WHERE provider = $1 AND upstream_id IS NOT NULL`;

/** Reads the provider's ids of all submissions to it. */
export const readUpstreamIds = async (queries: Queries, provider: string): Promise<string[]> =>
  (await queries.all(selectKnownSql, [provider])).map((row) => text(row, 'id'));

/** Stores the provider's id. Returns false if another node has taken the submission over. */
export const nameSubmission = async (
  queries: Queries,
  node: string,
  { id, upstreamId }: { id: number; upstreamId: string },
): Promise<boolean> =>
  (await queries.run('UPDATE native_submission SET upstream_id = $3 WHERE id = $1 AND node = $2', [
    id,
    node,
    upstreamId,
  ])) > 0;

const dropSql = `
  WITH gone AS (
    DELETE FROM native_submission WHERE id = $1 AND (node = $2 OR node IS NULL) RETURNING id, batch
  ), left_behind AS (
    UPDATE batch_item AS item SET submission = NULL FROM gone
    WHERE item.batch = gone.batch AND item.submission = gone.id
  )
  SELECT id FROM gone`;

/** Deletes a submission and detaches its items. Returns false if another node has taken it over. */
export const dropSubmission = async (queries: Queries, node: string, id: number): Promise<boolean> =>
  (await queries.first(dropSql, [id, node])) !== undefined;

const selectAwaySql = `
  SELECT number FROM batch_item
  WHERE batch = (SELECT batch FROM native_submission WHERE id = $1) AND submission = $1
    AND state IN ('queued', 'running')`;

export const readItemsAway = async (queries: Queries, id: number): Promise<number[]> =>
  (await queries.all(selectAwaySql, [id])).map((row) => number(row, 'number'));
