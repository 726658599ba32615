/**
 * The write of a stored response is the SQL function `insert_response(account_id text, response jsonb)`
 * (migration 2). It takes the JSON that `responseParameter` returns, on its own or as a member of a posting,
 * and runs in the caller's transaction:
 *
 *     insert_response('acct_…', posting -> 'response')
 *
 * It locks the account's stored bytes until the transaction ends. A caller with responses of several accounts
 * writes them in the order of the account ids. A response that exists already is left as it is.
 *
 * Long lists are split here and travel as parts. The whole conversation travels only with a continuation,
 * since only the database knows whether the continued turn still exists.
 */
import type { ConversationAddition } from '../../../money/ledger/conversation-addition.ts';
import type { StoredResponse } from '../../../money/ledger/stored-response.ts';
import { STORED_ROW_BYTES } from '../../../money/limits/stored-bytes.ts';
import { expiryStep } from '../../expiry-step.ts';
import { countsOf, insideOf, keptUntil, turnParts } from '../../turn-lists.ts';
import type { Queries } from '../queries.ts';
import { storableId } from './storable-id.ts';

/** Returns the parameter of `insert_response` as JSON text. */
export function responseParameter(response: StoredResponse): string {
  const { id, keyId, createdAt, expiresAt, envelope, previousId, turn, wholeInput, itemIds } = response;
  const { addition } = response;
  const input = previousId === null ? wholeInput : turn.input;
  const counts = countsOf(response, input);
  return JSON.stringify({
    id,
    keyId,
    createdAt,
    expiresAt,
    envelope: storableText(envelope),
    until: expiryStep(response),
    laterUntil: keptUntil(response),
    model: turn.model,
    input: storableText(insideOf(input)),
    output: storableText(insideOf(turn.output)),
    inputBytes: Buffer.byteLength(input),
    outputBytes: Buffer.byteLength(turn.output),
    inputItems: counts.input,
    outputItems: counts.output,
    rowBytes: STORED_ROW_BYTES,
    parts: turnParts({ input, output: turn.output, counts }).map((part) => ({
      ...part,
      text: storableText(part.text),
    })),
    previousId: previousId === null ? null : storableId(previousId),
    ...(previousId !== null && { whole: storableText(wholeInput) }),
    itemIds: itemIds.map(storableId),
    ...(addition && { addition: storableAddition(addition) }),
  });
}

/** Stores a response without a posting. */
export const writeResponse = async (
  queries: Queries,
  accountId: string,
  response: StoredResponse,
): Promise<void> =>
  void (await queries.first('SELECT insert_response($1, $2::text::jsonb)', [
    accountId,
    responseParameter(response),
  ]));

const storableAddition = (addition: ConversationAddition): ConversationAddition => ({
  ...addition,
  input: storableText(addition.input),
  output: storableText(addition.output),
  shownInput: storableText(addition.shownInput),
  shownOutput: storableText(addition.shownOutput),
});

/** JSON text with half a surrogate pair, which UTF-8 cannot express, is stored as UTF-8 shows it. */
const storableText = (text: string): string => (text.isWellFormed() ? text : text.toWellFormed());
