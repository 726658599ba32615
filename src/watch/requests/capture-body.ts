import { Refusal } from '../../base/errors/refusal.ts';
import type { JsonBody } from '../../base/json/json-body.ts';
import { andThen, type MaybeLater } from '../../base/lib/maybe-later.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { PayloadLogging } from './payload-logging.ts';

type BodyReading = MaybeLater<JsonBody | Refusal>;

/**
 * Begins a copy of an exchange when its body is read, if the operator keeps the account's content. The copy
 * of a form has the names and sizes of its files.
 */
export function captureBody(content: PayloadLogging, exchange: Exchange, reading: BodyReading): BodyReading {
  if (exchange.accountId === undefined || !content.isOn(exchange.accountId)) return reading;
  return andThen(reading, (body) => {
    if (!(body instanceof Refusal)) content.begin(exchange, body.text);
    return body;
  });
}
