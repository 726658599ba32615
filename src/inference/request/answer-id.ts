import type { Exchange } from '../../edge/http/exchange.ts';
import type { Dialect } from '../../translation/contract/dialect.ts';
import { randomPartOf } from './random-part-of.ts';

/**
 * Returns the id of an answer, which has the random part of the request's id. It is as hard to guess, and
 * each id leads to the other.
 */
export const answerId = ({ requestId }: Exchange, { idPrefix }: Dialect): string =>
  idPrefix + randomPartOf(requestId);
