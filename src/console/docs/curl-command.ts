import type { RouteKey } from '../../edge/http/route.ts';
import type { Operation } from './operation.ts';

const credentials: Record<RouteKey, string | null> = {
  none: null,
  either: 'authorization: Bearer $API_KEY',
  bearer: 'authorization: Bearer $API_KEY',
  'x-api-key': 'x-api-key: $API_KEY',
  google: 'x-goog-api-key: $API_KEY',
  admin: 'authorization: Bearer $ADMIN_TOKEN',
};

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Returns the path with each parameter as an upper-case word to replace. */
const pathOf = ({ path }: Operation): string =>
  /^\/v1(beta)?\/models\//.test(path)
    ? path.replace('{id}', path.includes('mbedContent') ? '{embedding_model}' : '{model}')
    : path.replace(/\{(\w+)\}/g, (_, name: string) => name.toUpperCase());

/** Returns the method flag, if curl would choose another method. */
const flagOf = ({ method, body, form }: Operation): string =>
  method === 'GET' || (method === 'POST' && (body || form)) ? '' : `-X ${method} `;

export function curlCommand(operation: Operation): string {
  const { key, body, bodyExample, form } = operation;
  const credential = credentials[key];
  const parts = [
    `curl ${flagOf(operation)}{origin}${pathOf(operation)}`,
    ...(credential ? [`-H "${credential}"`] : []),
    ...(form
      ? form.example.map((field) => `-F ${quoted(field)}`)
      : [
          ...(body ? ["-H 'content-type: application/json'"] : []),
          ...(bodyExample === undefined ? [] : [`-d ${quoted(JSON.stringify(bodyExample))}`]),
        ]),
  ];
  return parts.join(' \\\n  ');
}
