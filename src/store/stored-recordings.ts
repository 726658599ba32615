import type {
  HeldRecording,
  NewRecording,
  PartsAfter,
  RecordedAnswer,
  RecordedName,
  RecordedPart,
  RecordingEnd,
  RecordingStore,
  TrimBound,
  WrittenParts,
} from '../inference/recording/recording-store.ts';
import type { CommonRow, CommonStatement, CommonValue, StatementSteps } from './common-queries.ts';
import type { RecordQueries } from './record-queries.ts';
import { newRecordingRow, recordedPartOfRow, recordingOfRow } from './recording-rows.ts';
import { flag, number, text } from './row-columns.ts';
import { SqlStatement } from './sql-statement.ts';

const selectByIdempotencySql =
  'SELECT * FROM recorded_answer WHERE key_id = $1 AND path = $2 AND idempotency_key = $3';

const UNREAD = 'NOT is_delivered AND (reader IS NULL OR read_until < $4)';

const selectUnreadSql = `
  SELECT * FROM recorded_answer
  WHERE key_id = $1 AND path = $2 AND body_hash = $3 AND is_joinable AND ${UNREAD}
    AND (state = 'running' AND held_until >= $4 OR state = 'made' AND replays_until > $4)
  ORDER BY created_at LIMIT 16`;

const claimSql = `
  UPDATE recorded_answer SET reader = $2, read_until = $3 WHERE request_id = $1 AND ${UNREAD}`;

const insertPartSql = `
  INSERT INTO recorded_part (request_id, part, last_frame, text)
  SELECT request_id, parts, CAST($3 AS BIGINT), CAST($4 AS TEXT) FROM recorded_answer
  WHERE request_id = $1 AND holder = $2 AND state = 'running'
  ON CONFLICT (request_id, part) DO UPDATE SET last_frame = excluded.last_frame, text = excluded.text`;

const countPartSql = `
  UPDATE recorded_answer SET parts = parts + 1, frames = $3, bytes = bytes + $4
  WHERE request_id = $1 AND holder = $2 AND state = 'running'`;

const endSql = `
  UPDATE recorded_answer SET state = $3, failure = $4, background_id = $5, replays_until = $6, streams_until = $7,
    expires_at = $8, idempotency_key = CASE WHEN $3 = 'made' THEN idempotency_key END,
    is_joinable = (is_joinable AND $3 = 'made')
  WHERE request_id = $1 AND holder = $2`;

const headSql =
  'UPDATE recorded_answer SET head = $3 WHERE request_id = $1 AND holder = $2 RETURNING request_id';

const selectPartsSql = `
  SELECT * FROM recorded_part WHERE request_id = $1 AND (last_frame > $2 OR last_frame = 0) AND part < $3
    AND part >= $4
  ORDER BY part LIMIT 8`;

const leaveSql = `
  UPDATE recorded_answer SET reader = NULL, read_until = 0, is_delivered = (is_delivered OR $3)
  WHERE request_id = $1 AND reader = $2`;

/** A running answer is kept for at least this long after the end of its lease. */
const KEPT_AFTER_LEASE_MS = 600_000;

const EXPIRY_AFTER_LEASE = `CAST($2 AS bigint) + ${KEPT_AFTER_LEASE_MS}`;

const renewHeldSql = `
  UPDATE recorded_answer SET held_until = CAST($2 AS bigint),
    expires_at = CASE WHEN expires_at < ${EXPIRY_AFTER_LEASE} THEN ${EXPIRY_AFTER_LEASE} ELSE expires_at END
  WHERE holder = $1 AND state = 'running'`;

const renewReadSql = 'UPDATE recorded_answer SET read_until = $2 WHERE reader = $1';

const followSql = 'UPDATE recorded_answer SET followed_until = $2 WHERE request_id = $1';

const KEPT = {
  replays: "state = 'made' AND replays_until > 0",
  streams: "state <> 'running' AND is_resumable",
} as const;

const endReplaysSql = `
  UPDATE recorded_answer SET replays_until = 0, idempotency_key = NULL, is_joinable = false WHERE request_id = $1`;

const releaseSql = `
  UPDATE recorded_answer SET idempotency_key = NULL, is_joinable = false WHERE request_id = $1`;

const leaveOthersSql = `
  UPDATE recorded_answer SET reader = NULL, read_until = 0,
    held_until = CASE WHEN held_until < $2 THEN held_until ELSE $2 - 1 END
  WHERE holder <> $1`;

const selectExpiredSql =
  'SELECT request_id FROM recorded_answer WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2';

const deleteExpiredSql = 'DELETE FROM recorded_answer WHERE request_id = $1 AND expires_at <= $2';

/** Recorded answers, in both kinds of databases. */
export class StoredRecordings implements RecordingStore {
  readonly #queries: RecordQueries;

  constructor(queries: RecordQueries) {
    this.#queries = queries;
  }

  async begin(recording: NewRecording): Promise<RecordedAnswer | undefined> {
    const statement = new SqlStatement();
    const insertion = `${statement.insert('recorded_answer', newRecordingRow(recording))} ON CONFLICT DO NOTHING`;
    if ((await this.#queries.run(insertion, statement.values)) > 0) return undefined;
    const { keyId, path, idempotencyKey } = recording;
    const [row] = await this.#queries.all(selectByIdempotencySql, [keyId, path, idempotencyKey]);
    // The earlier answer was removed meanwhile.
    return row ? recordingOfRow(row) : this.begin(recording);
  }

  async find(requestId: string): Promise<RecordedAnswer | undefined> {
    const [row] = await this.#queries.all('SELECT * FROM recorded_answer WHERE request_id = $1', [requestId]);
    return row && recordingOfRow(row);
  }

  async claimUnread(
    { keyId, path, bodyHash }: Omit<RecordedName, 'idempotencyKey'>,
    { reader, readUntil, now }: { reader: string; readUntil: number; now: number },
  ): Promise<RecordedAnswer | undefined> {
    for (const row of await this.#queries.all(selectUnreadSql, [keyId, path, bodyHash, now])) {
      const claimed = await this.#queries.run(claimSql, [text(row, 'request_id'), reader, readUntil, now]);
      if (claimed > 0) return recordingOfRow(row);
    }
    return undefined;
  }

  async write({ requestId, holder }: HeldRecording, { parts, head, end }: WrittenParts): Promise<boolean> {
    const statements = parts.flatMap(({ lastFrame, text }): CommonStatement[] => [
      { text: insertPartSql, values: [requestId, holder, lastFrame, text] },
      { text: countPartSql, values: [requestId, holder, lastFrame, Buffer.byteLength(text)] },
    ]);
    if (end) statements.push({ text: endSql, values: [requestId, holder, ...endValues(end)] });
    statements.push({ text: headSql, values: [requestId, holder, head] });
    const rows = await this.#queries.transaction(function* (): StatementSteps<CommonRow[]> {
      return yield statements;
    });
    return rows.length > 0;
  }

  async loadParts(requestId: string, { frame, parts, from }: PartsAfter): Promise<RecordedPart[]> {
    const rows = await this.#queries.all(selectPartsSql, [requestId, frame, parts, from]);
    return rows.map(recordedPartOfRow);
  }

  async leave({ requestId, reader, isDelivered }: Parameters<RecordingStore['leave']>[0]): Promise<void> {
    await this.#queries.run(leaveSql, [requestId, reader, isDelivered]);
  }

  async renew(holder: string, { heldUntil, readUntil }: { heldUntil: number; readUntil: number }) {
    await this.#queries.run(renewHeldSql, [holder, heldUntil]);
    await this.#queries.run(renewReadSql, [holder, readUntil]);
  }

  async follow(requestId: string, until: number): Promise<void> {
    await this.#queries.run(followSql, [requestId, until]);
  }

  async release(requestId: string): Promise<void> {
    await this.#queries.run(releaseSql, [requestId]);
  }

  async remove(requestId: string): Promise<void> {
    await this.#queries.run('DELETE FROM recorded_answer WHERE request_id = $1', [requestId]);
  }

  async leaveOthers(holder: string, now: number): Promise<void> {
    await this.#queries.run(leaveOthersSql, [holder, now]);
  }

  async trim({ kind, accountId, maxBytes }: TrimBound): Promise<void> {
    const values = accountId === null ? [] : [accountId];
    const condition = `${KEPT[kind]} AND ${accountId === null ? 'true' : 'account_id = $1'}`;
    const [sum] = await this.#queries.all(
      `SELECT coalesce(sum(bytes), 0) AS bytes FROM recorded_answer WHERE ${condition}`,
      values,
    );
    let excess = number(sum, 'bytes') - maxBytes;
    if (excess <= 0) return;
    const oldestFirst = await this.#queries.all(
      `SELECT request_id, bytes, is_resumable FROM recorded_answer WHERE ${condition} ORDER BY created_at, request_id`,
      values,
    );
    for (const row of oldestFirst) {
      if (excess <= 0) return;
      const requestId = text(row, 'request_id');
      const keepsStream = kind === 'replays' && flag(row, 'is_resumable');
      await (keepsStream ? this.#queries.run(endReplaysSql, [requestId]) : this.remove(requestId));
      excess -= number(row, 'bytes');
    }
  }

  async sweepRecordings({ now, limit }: { now: number; limit: number }): Promise<number> {
    const rows = await this.#queries.all(selectExpiredSql, [now, limit]);
    for (const { request_id } of rows) await this.#queries.run(deleteExpiredSql, [String(request_id), now]);
    return rows.length;
  }
}

const endValues = (end: RecordingEnd): CommonValue[] => {
  const { state, failure, backgroundId, replaysUntil, streamsUntil } = end;
  const expiresAt = Math.max(replaysUntil, streamsUntil);
  return [state, failure, backgroundId, replaysUntil, streamsUntil, expiresAt];
};
