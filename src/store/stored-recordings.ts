import type {
  HeldRecording,
  NewRecording,
  RecordedAnswer,
  RecordedName,
  RecordingEnd,
  RecordingState,
  RecordingStore,
  TrimBound,
  WrittenParts,
} from '../inference/recording/recording-store.ts';
import type { CommonRow, CommonStatement, CommonValue, StatementSteps } from './common-queries.ts';
import type { RecordQueries } from './record-queries.ts';
import { flag, number, text } from './row-columns.ts';

/** Recorded answers, in both kinds of databases. */
export class StoredRecordings implements RecordingStore {
  readonly #queries: RecordQueries;

  constructor(queries: RecordQueries) {
    this.#queries = queries;
  }

  async begin(one: NewRecording): Promise<RecordedAnswer | undefined> {
    const { requestId, keyId, accountId, path, idempotencyKey, bodyHash, isJoinable, isResumable, hasIds } =
      one;
    const { createdAt, expiresAt, holder, heldUntil, readUntil } = one;
    const named: CommonValue[] = [requestId, keyId, accountId, path, idempotencyKey, bodyHash];
    const times = [createdAt, expiresAt, holder, heldUntil, readUntil];
    const values = [...named, isJoinable, isResumable, ...times, hasIds];
    if ((await this.#queries.run(insertSql, values)) > 0) return undefined;
    const [row] = await this.#queries.all(selectByIdempotencySql, [keyId, path, idempotencyKey]);
    // It was removed meanwhile.
    return row ? answerOf(row) : this.begin(one);
  }

  async find(requestId: string): Promise<RecordedAnswer | undefined> {
    const [row] = await this.#queries.all('SELECT * FROM recorded_answer WHERE request_id = $1', [requestId]);
    return row && answerOf(row);
  }

  async claimUnread(
    { keyId, path, bodyHash }: Omit<RecordedName, 'idempotencyKey'>,
    { reader, readUntil, now }: { reader: string; readUntil: number; now: number },
  ): Promise<RecordedAnswer | undefined> {
    for (const row of await this.#queries.all(selectUnreadSql, [keyId, path, bodyHash, now])) {
      const claimed = await this.#queries.run(claimSql, [text(row, 'request_id'), reader, readUntil, now]);
      if (claimed > 0) return answerOf(row);
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

  async loadParts(requestId: string, { frame, parts, from }: { frame: number; parts: number; from: number }) {
    const rows = await this.#queries.all(selectPartsSql, [requestId, frame, parts, from]);
    return rows.map(({ part, last_frame, text }) => ({
      part: Number(part),
      lastFrame: Number(last_frame),
      text: String(text),
    }));
  }

  async leave({
    requestId,
    reader,
    isDelivered,
  }: {
    requestId: string;
    reader: string;
    isDelivered: boolean;
  }) {
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
    const where = `${KEPT[kind]} AND ${accountId === null ? 'true' : 'account_id = $1'}`;
    const [sum] = await this.#queries.all(
      `SELECT coalesce(sum(bytes), 0) AS bytes FROM recorded_answer WHERE ${where}`,
      values,
    );
    let beyond = Number(sum!.bytes) - maxBytes;
    if (beyond <= 0) return;
    const rows = await this.#queries.all(
      `SELECT request_id, bytes, is_resumable FROM recorded_answer WHERE ${where} ORDER BY created_at, request_id`,
      values,
    );
    for (const { request_id, bytes, is_resumable } of rows) {
      if (beyond <= 0) return;
      const id = String(request_id);
      if (kind === 'replays' && is_resumable) await this.#queries.run(endReplaysSql, [id]);
      else await this.remove(id);
      beyond -= Number(bytes);
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

const textOrNull = (value: unknown): string | null => (value === null ? null : String(value));

const answerOf = (row: CommonRow): RecordedAnswer => ({
  requestId: text(row, 'request_id'),
  keyId: text(row, 'key_id'),
  accountId: text(row, 'account_id'),
  path: text(row, 'path'),
  idempotencyKey: textOrNull(row.idempotency_key),
  bodyHash: text(row, 'body_hash'),
  isJoinable: flag(row, 'is_joinable'),
  isResumable: flag(row, 'is_resumable'),
  hasIds: flag(row, 'has_ids'),
  backgroundId: textOrNull(row.background_id),
  state: text<RecordingState>(row, 'state'),
  head: textOrNull(row.head),
  failure: textOrNull(row.failure),
  parts: number(row, 'parts'),
  frames: number(row, 'frames'),
  createdAt: number(row, 'created_at'),
  replaysUntil: number(row, 'replays_until'),
  streamsUntil: number(row, 'streams_until'),
  holder: text(row, 'holder'),
  heldUntil: number(row, 'held_until'),
  followedUntil: number(row, 'followed_until'),
});

const insertSql = `
  INSERT INTO recorded_answer
    (request_id, key_id, account_id, path, idempotency_key, body_hash, is_joinable, is_resumable, background_id, state,
      head, failure, parts, bytes, frames, created_at, expires_at, replays_until, streams_until, holder, held_until,
      reader, read_until, followed_until, is_delivered, has_ids)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, NULL, 'running', NULL, NULL, 0, 0, 0, $9, $10, 0, 0, $11, $12,
    CASE WHEN $7 THEN $11 END, $13, 0, false, $14)
  ON CONFLICT DO NOTHING`;

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

const renewHeldSql = `UPDATE recorded_answer SET held_until = CAST($2 AS bigint),
    expires_at = CASE WHEN expires_at < CAST($2 AS bigint) + 600000 THEN CAST($2 AS bigint) + 600000 ELSE expires_at END
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
