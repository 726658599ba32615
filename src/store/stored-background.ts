import type {
  AddedFrames,
  BackgroundEnd,
  BackgroundProgress,
  BackgroundResponse,
  BackgroundStore,
  FramePart,
  ResponseHold,
  WantedResponse,
} from '../inference/background/background-store.ts';
import type { BackgroundStatus } from '../translation/contract/background-form.ts';
import type { CommonQueries, CommonRow, CommonValue, RowValues } from './common-queries.ts';
import { flag, number, text } from './row-columns.ts';
import { SqlStatement } from './sql-statement.ts';

type NewBackground = Parameters<BackgroundStore['createBackground']>[0];

const OWN = 'id = $1 AND key_id = $2 AND expires_at > $3';
const UNFINISHED = "status IN ('queued', 'in_progress')";

const COLUMNS = `id, request_id, key_id, account_id, created_at, expires_at, headers, body, status, envelope, stored,
  attempts, is_canceled`;

const findSql = `SELECT ${COLUMNS} FROM background_response WHERE ${OWN}`;
const findProgressSql = `SELECT status, parts FROM background_response WHERE ${OWN}`;
const findTakenSql = `SELECT ${COLUMNS} FROM background_response WHERE id = $1`;

const listLapsedSql = `SELECT id FROM background_response WHERE ${UNFINISHED} AND held_until <= $1`;
const listOfOthersSql = `SELECT id FROM background_response WHERE ${UNFINISHED} AND (holder IS NULL OR holder <> $1)`;

const takeSql = `
  UPDATE background_response SET holder = $3, held_until = $4, attempts = attempts + 1
  WHERE id = $1 AND ${UNFINISHED} AND held_until <= $2`;

const renewSql = `UPDATE background_response SET held_until = $2 WHERE holder = $1 AND ${UNFINISHED}`;

const listCanceledSql = `SELECT id FROM background_response WHERE holder = $1 AND is_canceled = 1 AND ${UNFINISHED}`;

const putBackSql = `
  UPDATE background_response SET holder = NULL, held_until = 0, attempts = attempts - 1
  WHERE id = $1 AND holder = $2 AND ${UNFINISHED}`;

const uncountFramesSql = 'UPDATE background_response SET parts = 0 WHERE id = $1 AND holder = $2';

const dropFramesSql = 'DELETE FROM background_frames WHERE response_id = $1';

const addFramesSql = `
  INSERT INTO background_frames (response_id, part, last_number, frames)
  SELECT id, parts, CAST($3 AS BIGINT), CAST($4 AS TEXT) FROM background_response WHERE id = $1 AND holder = $2
  ON CONFLICT (response_id, part) DO UPDATE SET last_number = excluded.last_number, frames = excluded.frames`;

const countFramesSql = `
  UPDATE background_response SET parts = parts + 1, status = $3, envelope = coalesce(CAST($4 AS TEXT), envelope)
  WHERE id = $1 AND holder = $2 AND ${UNFINISHED}`;

const endSql = `
  UPDATE background_response SET status = $3, envelope = $4, stored = $5, expires_at = $6, until = $7, body = '',
    holder = NULL, held_until = 0
  WHERE id = $1 AND holder = $2 AND ${UNFINISHED}`;

const cancelSql = `UPDATE background_response SET is_canceled = 1 WHERE ${OWN} AND ${UNFINISHED}`;

const loadFramesSql = `
  SELECT part, last_number, frames FROM background_frames
  JOIN background_response ON background_response.id = background_frames.response_id
  WHERE response_id = $1 AND last_number > $2 AND part < parts ORDER BY part LIMIT 8`;

const deleteSql = `DELETE FROM background_response WHERE ${OWN}`;

const listExpiredSql = `SELECT id FROM background_response WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2`;

const deleteExpiredSql = 'DELETE FROM background_response WHERE id = $1 AND expires_at <= $2';

/** Responses that are made in the background, in both kinds of databases. */
export class StoredBackground implements BackgroundStore {
  readonly #queries: CommonQueries;

  constructor(queries: CommonQueries) {
    this.#queries = queries;
  }

  async createBackground(response: NewBackground): Promise<void> {
    const statement = new SqlStatement();
    await this.#queries.run(
      statement.insert('background_response', newBackgroundRow(response)),
      statement.values,
    );
  }

  async findBackground({ id, keyId, now }: WantedResponse): Promise<BackgroundResponse | undefined> {
    const [row] = await this.#queries.all(findSql, [id, keyId, now]);
    return row && backgroundOfRow(row);
  }

  async findProgress({ id, keyId, now }: WantedResponse): Promise<BackgroundProgress | undefined> {
    const [row] = await this.#queries.all(findProgressSql, [id, keyId, now]);
    return row && { status: text<BackgroundStatus>(row, 'status'), parts: number(row, 'parts') };
  }

  async listUnheld(sought: { now: number } | { notBy: string }): Promise<string[]> {
    const rows =
      'now' in sought
        ? await this.#queries.all(listLapsedSql, [sought.now])
        : await this.#queries.all(listOfOthersSql, [sought.notBy]);
    return rows.map((row) => text(row, 'id'));
  }

  async takeBackground({ id, now, holder, heldUntil }: ResponseHold & { now: number; heldUntil: number }) {
    if ((await this.#queries.run(takeSql, [id, now, holder, heldUntil])) === 0) return undefined;
    const [row] = await this.#queries.all(findTakenSql, [id]);
    return row && backgroundOfRow(row);
  }

  async renewHeld(holder: string, heldUntil: number): Promise<string[]> {
    await this.#queries.run(renewSql, [holder, heldUntil]);
    return (await this.#queries.all(listCanceledSql, [holder])).map((row) => text(row, 'id'));
  }

  async putBack({ id, holder }: ResponseHold): Promise<void> {
    await this.#queries.run(putBackSql, [id, holder]);
  }

  async dropFrames({ id, holder }: ResponseHold): Promise<void> {
    if ((await this.#queries.run(uncountFramesSql, [id, holder])) === 0) return;
    await this.#queries.run(dropFramesSql, [id]);
  }

  /**
   * Adds frames as a part, which is visible once `parts` counts it. A crash between both statements leaves a
   * row that the next attempt removes.
   */
  async addFrames({ id, holder }: ResponseHold, added: AddedFrames): Promise<boolean> {
    const { lastNumber, frames, status, envelope } = added;
    await this.#queries.run(addFramesSql, [id, holder, lastNumber, frames]);
    return (await this.#queries.run(countFramesSql, [id, holder, status, envelope ?? null])) > 0;
  }

  async endBackground({ id, holder }: ResponseHold, end: BackgroundEnd): Promise<boolean> {
    const { status, envelope, stored, expiresAt, until } = end;
    const values: CommonValue[] = [id, holder, status, envelope, stored, expiresAt, until];
    return (await this.#queries.run(endSql, values)) > 0;
  }

  async cancelBackground({ id, keyId, now }: WantedResponse): Promise<boolean> {
    return (await this.#queries.run(cancelSql, [id, keyId, now])) > 0;
  }

  async loadFrames(id: string, after: number): Promise<FramePart[]> {
    const rows = await this.#queries.all(loadFramesSql, [id, after]);
    return rows.map((row) => ({
      part: number(row, 'part'),
      lastNumber: number(row, 'last_number'),
      frames: text(row, 'frames'),
    }));
  }

  async deleteBackground({ id, keyId, now }: WantedResponse): Promise<boolean> {
    return (await this.#queries.run(deleteSql, [id, keyId, now])) > 0;
  }

  async sweepBackground({ now, limit }: { now: number; limit: number }): Promise<number> {
    const rows = await this.#queries.all(listExpiredSql, [now, limit]);
    for (const { id } of rows) await this.#queries.run(deleteExpiredSql, [String(id), now]);
    return rows.length;
  }
}

/** Returns the row of a new response, which has no parts of frames. */
const newBackgroundRow = (response: NewBackground): RowValues => ({
  id: response.id,
  request_id: response.requestId,
  key_id: response.keyId,
  account_id: response.accountId,
  created_at: response.createdAt,
  expires_at: response.expiresAt,
  until: response.until,
  headers: response.headers,
  body: response.body,
  status: response.status,
  envelope: response.envelope,
  stored: response.stored,
  parts: 0,
  attempts: response.attempts,
  is_canceled: 0,
  holder: response.holder,
  held_until: response.heldUntil,
});

const backgroundOfRow = (row: CommonRow): BackgroundResponse => ({
  id: text(row, 'id'),
  requestId: text(row, 'request_id'),
  keyId: text(row, 'key_id'),
  accountId: text(row, 'account_id'),
  createdAt: number(row, 'created_at'),
  expiresAt: number(row, 'expires_at'),
  headers: text(row, 'headers'),
  body: text(row, 'body'),
  status: text<BackgroundStatus>(row, 'status'),
  envelope: text(row, 'envelope'),
  stored: number(row, 'stored'),
  attempts: number(row, 'attempts'),
  isCanceled: flag(row, 'is_canceled'),
});
