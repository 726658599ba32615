import type { RouteKey } from '../../edge/http/route.ts';
import { examplePath } from './example-path.ts';
import type { Operation } from './operation.ts';
import { shellQuoted } from './shell-quoted.ts';

const credentials: Record<RouteKey, string | null> = {
  none: null,
  either: 'authorization: Bearer $API_KEY',
  bearer: 'authorization: Bearer $API_KEY',
  'x-api-key': 'x-api-key: $API_KEY',
  google: 'x-goog-api-key: $API_KEY',
  admin: 'authorization: Bearer $ADMIN_TOKEN',
};

/** Returns the method flag, if curl would choose another method. */
const flagOf = ({ method, body, form }: Operation): string =>
  method === 'GET' || (method === 'POST' && (body || form)) ? '' : `-X ${method} `;

/** Writes the command that sends an example request of the operation. */
export function curlCommand(operation: Operation): string {
  const { key, body, bodyExample, form } = operation;
  const credential = credentials[key];
  const parts = [
    `curl ${flagOf(operation)}{origin}${examplePath(operation.path)}`,
    ...(credential ? [`-H "${credential}"`] : []),
    ...(form
      ? form.example.map((field) => `-F ${shellQuoted(field)}`)
      : [
          ...(body ? ["-H 'content-type: application/json'"] : []),
          ...(bodyExample === undefined ? [] : [`-d ${shellQuoted(JSON.stringify(bodyExample))}`]),
        ]),
  ];
  return parts.join(' \\\n  ');
}
