import type { JobLease } from '../../../base/jobs/job.ts';
import type { Submission } from '../../../batches/native/native-store.ts';
import { number, text } from '../../row-columns.ts';
import { submissionOfRow } from '../../submission-of-row.ts';
import type { SqliteConnection } from '../sqlite-connection.ts';

const insertSubmissionSql = `
  INSERT INTO native_submission (batch, provider, wire, upstream_model, upstream_id, mark, sent_at, size)
  VALUES ($batch, $provider, $wire, $upstreamModel, $upstreamId, $mark, $sentAt, $size)`;

const joinSql = 'UPDATE batch_item SET submission = $id WHERE batch = $batch AND number = $number';

/** Inserts a submission, and sets its number on its items. */
export function insertSubmission(
  connection: SqliteConnection,
  { batch, provider, wire, upstreamModel, upstreamId, mark, sentAt, size }: Submission,
  items: readonly JobLease[],
): number {
  const values = { batch, provider, wire, upstreamModel, upstreamId, mark, sentAt, size };
  connection.run(insertSubmissionSql, values);
  const id = number(connection.first('SELECT last_insert_rowid() AS id'), 'id');
  for (const lease of items) connection.run(joinSql, { batch, number: lease.number, id });
  return id;
}

const setIdSql = 'UPDATE native_submission SET upstream_id = $upstreamId WHERE id = $id';

/** Stores the id that the provider returned. */
export const setUpstreamId = (connection: SqliteConnection, id: number, upstreamId: string): void =>
  void connection.run(setIdSql, { id, upstreamId });

export function selectSubmission(connection: SqliteConnection, id: number): Submission | undefined {
  const row = connection.first('SELECT * FROM native_submission WHERE id = $id', { id });
  return row && submissionOfRow(row);
}

const selectKnownSql = `
  SELECT upstream_id AS id FROM native_submission WHERE provider = $provider AND upstream_id IS NOT NULL`;

/** Returns the provider's ids of all submissions to it. */
export const selectUpstreamIds = (connection: SqliteConnection, provider: string): string[] =>
  connection.all(selectKnownSql, { provider }).map((row) => text(row, 'id'));

const leaveSql = `
  UPDATE batch_item SET submission = NULL
  WHERE submission = $id AND batch = (SELECT batch FROM native_submission WHERE id = $id)`;

/** Deletes a submission and detaches its items. */
export function deleteSubmission(connection: SqliteConnection, id: number): void {
  connection.run(leaveSql, { id });
  connection.run('DELETE FROM native_submission WHERE id = $id', { id });
}

/** Deletes the submissions of a removed batch. */
export const deleteSubmissionsOf = (connection: SqliteConnection, batch: number): void =>
  void connection.run('DELETE FROM native_submission WHERE batch = $batch', { batch });
