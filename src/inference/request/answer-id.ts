import type { Exchange } from '../../edge/http/exchange.ts';
import type { Dialect } from '../../translation/contract/dialect.ts';

// The answer's id has the random part of the request's id, so it is as hard to guess,
// and each id leads to the other.
export const answerId = ({ requestId }: Exchange, { idPrefix }: Dialect): string =>
  idPrefix + requestId.slice(requestId.indexOf('_') + 1);
