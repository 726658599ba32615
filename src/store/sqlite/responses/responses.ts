import type { Answered, ResponseLookup, ResponseSizes } from '../../../inference/responses/response-store.ts';
import type { ConversationAddition } from '../../../money/ledger/conversation-addition.ts';
import type { StoredResponse } from '../../../money/ledger/stored-response.ts';
import { STORED_ROW_BYTES } from '../../../money/limits/stored-bytes.ts';
import { expiryStep } from '../../expiry-step.ts';
import { foundText, number } from '../../row-columns.ts';
import { countConversationPartSql, insertConversationPartSql } from '../../stored-conversations.ts';
import type { Row, SqliteConnection } from '../sqlite-connection.ts';
import { sqliteForms } from '../sqlite-forms.ts';
import { numbered } from '../sqlite-queries.ts';
import { addStored, removedRows, removeStored, type StoredUntil } from '../stored-bytes.ts';
import { insertTurn } from './insert-turn.ts';
import { FROM_OWN_TURN, IS_OWN_RESPONSE } from './own-response.ts';
import { selectOutput } from './turn-reads.ts';

const insertResponseSql = `
  INSERT INTO response (id, key_id, created_at, expires_at, envelope, account_id, stored)
  VALUES (?, ?, ?, ?, ?, ?, ?)`;

const insertResponseItemSql = 'INSERT INTO response_item (id, response_id) VALUES ($itemId, $id)';

/** Inserts a response with its turn and item ids, and counts their bytes. */
export function insertResponse(
  connection: SqliteConnection,
  accountId: string,
  response: StoredResponse,
): void {
  const { id, keyId, createdAt, expiresAt, envelope, itemIds } = response;
  const stored = Buffer.byteLength(envelope) + STORED_ROW_BYTES;
  const until = expiryStep(response);
  connection.run(insertResponseSql, [id, keyId, createdAt, expiresAt, envelope, accountId, stored]);
  const bytes = stored + insertTurn(connection, { accountId, until }, response);
  addStored(connection, { accountId, until, bytes });
  for (const itemId of new Set(itemIds)) connection.run(insertResponseItemSql, { itemId, id });
  if (response.addition) insertAddition(connection, response.addition);
}

const insertPartSql = numbered(insertConversationPartSql(sqliteForms));
const countPartSql = numbered(countConversationPartSql(sqliteForms));

/** Adds the response to its conversation. Nothing happens if the request no longer holds it. */
function insertAddition(connection: SqliteConnection, addition: ConversationAddition): void {
  const { id, holder, expiresAt, until, bytes, model, input, output, shownInput, shownOutput } = addition;
  const lists = [model, input, output, shownInput, shownOutput];
  connection.run(insertPartSql, [id, holder, ...lists]);
  connection.run(countPartSql, [id, holder, expiresAt, until, bytes]);
}

const selectSizesSql = `
  SELECT octet_length(envelope) AS envelope,
    octet_length(output) + coalesce(
      (SELECT SUM(octet_length(text)) FROM turn_part WHERE turn_id = turn.id AND is_output = 1), 0) AS turn
  ${FROM_OWN_TURN}`;

/** Returns the size of the key's response, or undefined if it does not exist or has expired. */
export function selectResponseSizes(
  connection: SqliteConnection,
  wanted: ResponseLookup,
): ResponseSizes | undefined {
  const row = connection.first(selectSizesSql, { ...wanted });
  return row && { envelope: number(row, 'envelope'), turn: number(row, 'turn') };
}

const selectEnvelopeSql = `SELECT envelope FROM response WHERE ${IS_OWN_RESPONSE}`;

/** Returns the response as sent. */
export const selectEnvelope = (connection: SqliteConnection, wanted: ResponseLookup): string | undefined =>
  foundText(connection.first(selectEnvelopeSql, { ...wanted }), 'envelope');

/** Returns the response as sent, and its output in the form that models receive. */
export function selectAnswered(connection: SqliteConnection, wanted: ResponseLookup): Answered | undefined {
  const envelope = selectEnvelope(connection, wanted);
  const turn = envelope === undefined ? undefined : selectOutput(connection, wanted);
  return turn && { envelope: envelope!, ...turn };
}

const selectOfItemSql = `
  SELECT response.id FROM response_item JOIN response ON response.id = response_item.response_id
  WHERE response_item.id = $id AND response.key_id = $keyId AND response.expires_at > $now
  ORDER BY response.created_at DESC LIMIT 1`;

/** Returns the id of the key's newest unexpired response with this item, or undefined. */
export function selectResponseOfItem(
  connection: SqliteConnection,
  wanted: ResponseLookup,
): string | undefined {
  return foundText(connection.first(selectOfItemSql, { ...wanted }), 'id');
}

const RETURNING_RESPONSE = 'RETURNING account_id, stored, created_at, expires_at';
const RETURNING_TURN = 'RETURNING account_id, stored, kept_until AS until';

const deleteResponseSql = `DELETE FROM response WHERE ${IS_OWN_RESPONSE} ${RETURNING_RESPONSE}`;

const deleteTurnSql = `
  DELETE FROM turn
  WHERE id = $id AND NOT EXISTS (SELECT 1 FROM turn AS later WHERE later.previous_id = $id) ${RETURNING_TURN}`;

/**
 * Deletes the key's response, and its turn if nothing continues it.
 * Returns false if the response does not exist.
 */
export function deleteResponse(connection: SqliteConnection, wanted: ResponseLookup): boolean {
  const rows = connection.all(deleteResponseSql, { ...wanted });
  if (rows.length === 0) return false;
  const turns = removedRows(connection.all(deleteTurnSql, { id: wanted.id }));
  removeStored(connection, [...removedResponses(rows), ...turns]);
  return true;
}

const sweepResponsesSql = `
  DELETE FROM response WHERE id IN (SELECT id FROM response WHERE expires_at <= $now LIMIT $limit)
  ${RETURNING_RESPONSE}`;

const sweepTurnsSql = `
  DELETE FROM turn WHERE id IN (SELECT id FROM turn WHERE kept_until <= $now LIMIT $limit) ${RETURNING_TURN}`;

/** Deletes up to `limit` expired responses and up to `limit` expired turns, and returns their numbers. */
export function sweepResponses(
  connection: SqliteConnection,
  options: { now: number; limit: number },
): number {
  const rows = connection.all(sweepResponsesSql, options);
  const turns = connection.all(sweepTurnsSql, options);
  removeStored(connection, [...removedResponses(rows), ...removedRows(turns)]);
  return rows.length + turns.length;
}

const removedResponses = (rows: readonly Row[]): StoredUntil[] =>
  removedRows(
    rows.map((row) => {
      const life = { createdAt: Number(row.created_at), expiresAt: Number(row.expires_at) };
      return { ...row, until: expiryStep(life) };
    }),
  );
