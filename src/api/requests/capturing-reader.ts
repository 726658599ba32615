import { Refusal } from '../../base/errors/refusal.ts';
import { after } from '../../base/lib/after.ts';
import type { BodyReader } from '../../edge/http/read-body.ts';
import type { PayloadLogging } from './payload-logging.ts';

/** Begins to copy an exchange when its body is read, where the operator keeps the content of the account. */
export const capturingReader =
  (read: BodyReader, content: Pick<PayloadLogging, 'isOn' | 'begin'>): BodyReader =>
  (exchange) => {
    const reading = read(exchange);
    if (exchange.accountId === undefined || !content.isOn(exchange.accountId)) return reading;
    return after(reading, (body) => {
      if (!(body instanceof Refusal)) content.begin(exchange, body.text);
      return body;
    });
  };
