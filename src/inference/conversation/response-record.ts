import { msOf } from '../../base/lib/units.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { Principal } from '../../money/auth/principal.ts';
import type { ConversationAddition } from '../../money/ledger/conversation-addition.ts';
import type { StoredResponse } from '../../money/ledger/stored-response.ts';
import type { FinishedAnswer } from '../../translation/contract/finished-answer.ts';
import { type Item, itemsOf } from '../responses/item-texts.ts';

/** The size limit of a stored answer. A larger answer is returned, but not stored. */
export const MAX_ENVELOPE_BYTES = 512 * 1024;

/** A request whose answer is stored. */
export type AnsweredRequest = {
  exchange: Exchange;
  principal: Principal;
  /** The id of the answer. */
  id: string;
  /** The catalog id of the model that answered. */
  servedModel: string;
  previousId: string | null;
  /** The input of this turn alone. */
  input: string;
  inputItems: number;
  wholeInput: string;
  /** Later requests can refer to single items. */
  hasItems: boolean | undefined;
  now: number;
  addition?: ConversationAddition | undefined;
};

/** Returns the record of an answer, or undefined if it must not be stored. */
export function responseRecord(
  answer: FinishedAnswer,
  answered: AnsweredRequest,
): StoredResponse | undefined {
  const { exchange, principal, id, servedModel, previousId, input, inputItems, wholeInput, hasItems, now } =
    answered;
  const { envelope, items } = answer;
  if (Buffer.byteLength(envelope) > MAX_ENVELOPE_BYTES) return undefined;
  const answerItems = itemsOf(items);
  return {
    id,
    keyId: principal.apiKey.id,
    createdAt: now,
    expiresAt: now + msOf(exchange.snapshot.config.retention.responses_s),
    envelope,
    previousId,
    turn: { model: servedModel, input, output: items },
    counts: {
      input: inputItems,
      output: answerItems.filter(({ value }) => value.type !== 'reasoning').length,
    },
    wholeInput,
    itemIds: hasItems ? foreignIds(answerItems, id.replace(/^resp_/, '')) : [],
    ...(answered.addition && { addition: answered.addition }),
  };
}

/** The gateway's own item ids contain the random part of the response's id. */
const foreignIds = (items: readonly Item[], own: string): string[] =>
  items.flatMap(({ value: { id } }) => (typeof id === 'string' && !id.includes(own) ? [id] : []));
