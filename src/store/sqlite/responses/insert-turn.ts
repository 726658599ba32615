import type { ConversationSize } from '../../../inference/responses/response-store.ts';
import type { StoredResponse } from '../../../money/ledger/stored-response.ts';
import { STORED_ROW_BYTES } from '../../../money/limits/stored-bytes.ts';
import { number, text } from '../../row-columns.ts';
import { countsOf, insideOf, keptUntil, type TurnLists, turnParts } from '../../turn-lists.ts';
import type { SqliteConnection } from '../sqlite-connection.ts';
import { addStored, removedRows, removeStored } from '../stored-bytes.ts';
import { fillItemCounts } from './fill-item-counts.ts';

const insertTurnSql = `
  INSERT INTO turn (id, previous_id, model, input, output, turns, bytes, kept_until,
    input_items, output_items, items, account_id, stored)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

/** Inserts a turn, extends the lifetime of the turns that it continues, and returns the stored size. */
export function insertTurn(
  connection: SqliteConnection,
  { accountId, until }: { accountId: string; until: number },
  response: StoredResponse,
): number {
  const { id, previousId, turn } = response;
  const previous = previousId === null ? undefined : selectSizes(connection, previousId);
  // If the previous turn was removed, this turn stores the whole conversation.
  const input = previous ? turn.input : response.wholeInput;
  const counts = countsOf(response, input);
  const bytes = Buffer.byteLength(input) + Buffer.byteLength(turn.output);
  const stored = bytes + STORED_ROW_BYTES;
  // biome-ignore format: a line for each group
  connection.run(insertTurnSql, [
    id, previous ? previousId : null, turn.model,
    insideOf(input), insideOf(turn.output),
    (previous?.turns ?? 0) + 1, (previous?.bytes ?? 0) + bytes, until,
    counts.input, counts.output, (previous?.items ?? 0) + counts.input + counts.output,
    accountId, stored,
  ]);
  insertParts(connection, response.id, { input, output: turn.output, counts });
  if (previous) keepLine(connection, response);
  return stored;
}

const insertPartSql = `
  INSERT INTO turn_part (turn_id, part, is_output, items, text)
  VALUES ($turnId, $part, $isOutput, $items, $text)`;

function insertParts(connection: SqliteConnection, turnId: string, lists: TurnLists): void {
  for (const [part, { isOutput, items, text: list }] of turnParts(lists).entries())
    connection.run(insertPartSql, { turnId, part, isOutput: isOutput ? 1 : 0, items, text: list });
}

const selectShortLivedSql = `
  WITH RECURSIVE line (id, previous_id) AS (
    SELECT id, previous_id FROM turn WHERE id = $id AND kept_until < $expiresAt
    UNION ALL
    SELECT turn.id, turn.previous_id FROM turn JOIN line ON turn.id = line.previous_id
    WHERE turn.kept_until < $until
  )
  SELECT turn.id, turn.account_id, turn.stored, turn.kept_until AS until FROM line JOIN turn ON turn.id = line.id`;

const keepSql = 'UPDATE turn SET kept_until = ? WHERE id = ?';

/** No turn outlives the turns before it, so the walk ends at the first turn with a sufficient lifetime. */
function keepLine(connection: SqliteConnection, response: StoredResponse): void {
  const { previousId, expiresAt } = response;
  const until = keptUntil(response);
  const line = connection.all(selectShortLivedSql, { id: previousId, expiresAt, until });
  for (const row of line) connection.run(keepSql, [until, text(row, 'id')]);
  const moved = removedRows(line);
  removeStored(connection, moved);
  for (const bytes of moved) addStored(connection, { ...bytes, until });
}

type Sizes = ConversationSize & { items: number };

const selectTurnSizesSql = 'SELECT turns, bytes, items FROM turn WHERE id = $id';

/** Returns the size of the conversation up to and including a turn. */
function selectSizes(connection: SqliteConnection, id: string): Sizes | undefined {
  const row = connection.first(selectTurnSizesSql, { id });
  if (row && row.items === null) {
    fillItemCounts(connection, id);
    return selectSizes(connection, id);
  }
  return row && { turns: number(row, 'turns'), bytes: number(row, 'bytes'), items: number(row, 'items') };
}
