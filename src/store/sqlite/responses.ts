import type { LoadedResponse } from '../../responses/response-store.ts';
import type { StoredResponse, Turn, Wanted } from '../../responses/stored-response.ts';
import type { Connection, Row } from './connection.ts';

/** Adds the response, its turn and its items' ids, and keeps the turns that it continues as long as itself. */
export function insertResponse(connection: Connection, response: StoredResponse): void {
  const { id, keyId, createdAt, expiresAt, envelope, itemIds } = response;
  connection.run(insert, { id, keyId, createdAt, expiresAt, envelope });
  insertTurn(connection, response);
  for (const itemId of new Set(itemIds)) connection.run(insertItem, { itemId, id });
}

/** What it continues may be gone by now: then its turn holds all that was said before. */
function insertTurn(connection: Connection, response: StoredResponse): void {
  const { id, previousId, expiresAt, turn, wholeInput } = response;
  const previous = previousId === null ? undefined : connection.first(selectSize, { id: previousId });
  const input = previous ? turn.input : wholeInput;
  connection.run(insertTurnRow, {
    id,
    previousId: previous ? previousId : null,
    model: turn.model,
    input,
    output: turn.output,
    turns: Number(previous?.turns ?? 0) + 1,
    bytes: Number(previous?.bytes ?? 0) + Buffer.byteLength(input) + Buffer.byteLength(turn.output),
    expiresAt,
  });
  if (previous) connection.run(keepLine, { id: previousId, expiresAt });
}

/** The key's own response where it has not expired, or undefined. */
export function selectResponse(connection: Connection, wanted: Wanted): LoadedResponse | undefined {
  const row = connection.first(select, { ...wanted });
  if (!row) return undefined;
  const size = { turns: row.turns as number, bytes: row.bytes as number };
  return { envelope: row.envelope as string, turn: turnOf(row), size };
}

/** The turns up to the key's own response and with it, the first one first. */
export const selectTurns = (connection: Connection, wanted: Wanted): Turn[] =>
  connection.all(selectLine, { ...wanted }).map(turnOf);

/** The id of the key's newest response with this item that has not expired, or undefined. */
export function selectResponseOfItem(connection: Connection, wanted: Wanted): string | undefined {
  return connection.first(selectOfItem, { ...wanted })?.id as string | undefined;
}

/** Removes the key's own response and, where nothing continues it, its turn. False: there was none. */
export function deleteResponse(connection: Connection, wanted: Wanted): boolean {
  if (connection.run(deleteRow, { ...wanted }) === 0) return false;
  connection.run(deleteTurn, { id: wanted.id });
  return true;
}

/** Removes up to `limit` responses and up to `limit` turns whose time has come, and counts them. */
export function sweepResponses(connection: Connection, options: { now: number; limit: number }): number {
  const expired = connection.all(selectExpired, options);
  for (const { id } of expired) connection.run('DELETE FROM response WHERE id = $id', { id: String(id) });
  return expired.length + connection.run(sweepTurns, options);
}

const insert = `
  INSERT INTO response (id, key_id, created_at, expires_at, envelope)
  VALUES ($id, $keyId, $createdAt, $expiresAt, $envelope)`;

const insertItem = 'INSERT INTO response_item (id, response_id) VALUES ($itemId, $id)';

const insertTurnRow = `
  INSERT INTO turn (id, previous_id, model, input, output, turns, bytes, kept_until)
  VALUES ($id, $previousId, $model, $input, $output, $turns, $bytes, $expiresAt)`;

const selectSize = 'SELECT turns, bytes FROM turn WHERE id = $id';

const keepLine = `
  WITH RECURSIVE line (id, previous_id) AS (
    SELECT id, previous_id FROM turn WHERE id = $id
    UNION ALL
    SELECT turn.id, turn.previous_id FROM turn JOIN line ON turn.id = line.previous_id
  )
  UPDATE turn SET kept_until = $expiresAt WHERE kept_until < $expiresAt AND id IN (SELECT id FROM line)`;

const OWN = 'response.id = $id AND response.key_id = $keyId AND response.expires_at > $now';

const select = `
  SELECT envelope, model, input, output, turns, bytes
  FROM response JOIN turn ON turn.id = response.id WHERE ${OWN}`;

const selectLine = `
  WITH RECURSIVE line (previous_id, model, input, output, turns) AS (
    SELECT previous_id, model, input, output, turns
    FROM response JOIN turn ON turn.id = response.id WHERE ${OWN}
    UNION ALL
    SELECT turn.previous_id, turn.model, turn.input, turn.output, turn.turns
    FROM turn JOIN line ON turn.id = line.previous_id
  )
  SELECT model, input, output FROM line ORDER BY turns`;

const selectOfItem = `
  SELECT response.id FROM response_item JOIN response ON response.id = response_item.response_id
  WHERE response_item.id = $id AND response.key_id = $keyId AND response.expires_at > $now
  ORDER BY response.created_at DESC LIMIT 1`;

const deleteRow = `DELETE FROM response WHERE ${OWN}`;

const deleteTurn = `
  DELETE FROM turn
  WHERE id = $id AND NOT EXISTS (SELECT 1 FROM turn AS later WHERE later.previous_id = $id)`;

const selectExpired = 'SELECT id FROM response WHERE expires_at <= $now LIMIT $limit';

const sweepTurns = `
  DELETE FROM turn WHERE id IN (SELECT id FROM turn WHERE kept_until <= $now LIMIT $limit)`;

const turnOf = (row: Row): Turn => ({
  model: row.model as string,
  input: row.input as string,
  output: row.output as string,
});
