import { Refusal } from '../../base/errors/refusal.ts';
import type { JsonBody } from '../../base/json/json-body.ts';
import { andThen, type MaybeLater } from '../../base/lib/maybe-later.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { PayloadLogging } from './payload-logging.ts';

type Content = Pick<PayloadLogging, 'isOn' | 'begin'>;
type AnyReader<Rest extends unknown[]> = (
  exchange: Exchange,
  ...rest: Rest
) => MaybeLater<JsonBody | Refusal>;

/**
 * Begins to copy an exchange when its body is read, where the operator keeps the content of the account. Of a
 * form, the names and sizes of its files are copied.
 */
export const capturingReader =
  <Rest extends unknown[]>(read: AnyReader<Rest>, content: Content): AnyReader<Rest> =>
  (exchange, ...rest) => {
    const reading = read(exchange, ...rest);
    if (exchange.accountId === undefined || !content.isOn(exchange.accountId)) return reading;
    return andThen(reading, (body) => {
      if (!(body instanceof Refusal)) content.begin(exchange, body.text);
      return body;
    });
  };
