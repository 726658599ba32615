import type { Answered, ResponseLookup, ResponseSizes } from '../../../inference/responses/response-store.ts';
import { foundText, number, text } from '../../row-columns.ts';
import type { SqlValue } from '../database.ts';
import type { Queries } from '../queries.ts';
import { storableId } from './storable-id.ts';
import { readTurnList, turnListColumns } from './turn-list.ts';

/** Returns the parameters of `IS_OWN_RESPONSE`. */
export const ownValues = ({ id, keyId, now }: ResponseLookup): SqlValue[] => [storableId(id), keyId, now];

/** The condition that selects a key's unexpired response. */
export const IS_OWN_RESPONSE =
  'response.id = $1 AND response.key_id = $2 AND response.expires_at > $3::bigint';

/** The response of the key with its turn. */
export const FROM_OWN_TURN = `FROM response JOIN turn ON turn.id = response.id WHERE ${IS_OWN_RESPONSE}`;

const selectSizesSql = `
  SELECT octet_length(envelope) AS envelope,
    octet_length(output) + coalesce(
      (SELECT sum(octet_length(text)) FROM turn_part WHERE turn_id = turn.id AND is_output), 0) AS turn
  ${FROM_OWN_TURN}`;

export async function readResponseSizes(
  queries: Queries,
  wanted: ResponseLookup,
): Promise<ResponseSizes | undefined> {
  const row = await queries.first(selectSizesSql, ownValues(wanted));
  return row && { envelope: number(row, 'envelope'), turn: number(row, 'turn') };
}

const selectEnvelopeSql = `SELECT envelope FROM response WHERE ${IS_OWN_RESPONSE}`;

/** Returns the response as sent. */
export const readEnvelope = async (queries: Queries, wanted: ResponseLookup): Promise<string | undefined> =>
  foundText(await queries.first(selectEnvelopeSql, ownValues(wanted)), 'envelope');

const selectAnsweredSql = `
  SELECT envelope, model, ${turnListColumns('output')}
  ${FROM_OWN_TURN}`;

/** Returns the response as sent, and its output in the form that models receive. */
export async function readAnswered(queries: Queries, wanted: ResponseLookup): Promise<Answered | undefined> {
  const row = await queries.first(selectAnsweredSql, ownValues(wanted));
  if (!row) return undefined;
  return {
    envelope: text(row, 'envelope'),
    model: text(row, 'model'),
    output: readTurnList(row, 'output'),
  };
}

const selectOfItemSql = `
  SELECT response.id FROM response_item JOIN response ON response.id = response_item.response_id
  WHERE response_item.id = $1 AND response.key_id = $2 AND response.expires_at > $3::bigint
  ORDER BY response.created_at DESC LIMIT 1`;

/** Returns the id of the key's newest unexpired response with this item, or undefined. */
export const readResponseOfItem = async (
  queries: Queries,
  wanted: ResponseLookup,
): Promise<string | undefined> => foundText(await queries.first(selectOfItemSql, ownValues(wanted)), 'id');
