import { Refusal } from '../../base/errors/refusal.ts';
import type { BodyReader } from '../../edge/http/create-body-reader.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { createCheck } from './create-check.ts';
import { createQueryReader } from './create-query-reader.ts';
import type { RouteShape } from './typed-route.ts';

type CheckedCall = {
  exchange: Exchange;
  params: Exchange['params'];
  query: Readonly<Record<string, unknown>>;
  body: unknown;
};

type Options = { readBody: BodyReader; isQueryClosed: boolean };

/** Creates a reader of the requests to a route. It checks the query and then the body. */
export function createCallReader(
  { query, body }: RouteShape,
  { readBody, isQueryClosed }: Options,
): (exchange: Exchange) => Promise<CheckedCall | Refusal> {
  const readQuery = createQueryReader(query, { isClosed: isQueryClosed });
  const checkBody = body && createCheck(body, 'The body');
  return async (exchange) => {
    const { params } = exchange;
    const values = readQuery(exchange.query);
    if (values instanceof Refusal) return values;
    if (!checkBody) return { exchange, params, query: values, body: undefined };
    const requestBody = await readBody(exchange);
    if (requestBody instanceof Refusal) return requestBody;
    return checkBody(requestBody.value) ?? { exchange, params, query: values, body: requestBody.value };
  };
}
