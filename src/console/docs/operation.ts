import type { ErrorCode } from '../../base/errors/catalogue.ts';
import type { EnvelopeStyle } from '../../base/errors/envelope.ts';
import { styleOfPath } from '../../base/errors/style-of-path.ts';
import { lookUp } from '../../base/lib/records.ts';
import { Type } from '../../base/schema/type.ts';
import type { Route, RouteDescription, RouteKey, RouteParameter } from '../../edge/http/route.ts';
import type { RouteGroup } from '../../edge/http/route-group.ts';

/** A route without a description is in the group `Other`. */
export type OperationGroup = RouteGroup | 'Other';

/** A route as the documentation describes it, with the facts derived from its path, key and body. */
export type Operation = Omit<RouteDescription, 'group'> & {
  id: string;
  method: Route['method'];
  /** The path with every parameter in plain braces. */
  path: string;
  group: OperationGroup;
  key: RouteKey;
  pathParameters: readonly RouteParameter[];
  errors: readonly ErrorCode[];
  style: EnvelopeStyle;
};

const keyErrors: readonly ErrorCode[] = [
  'missing_api_key',
  'invalid_api_key',
  'revoked_api_key',
  'account_suspended',
  'account_closed',
  'rate_limit_exceeded',
];

const errorsOfKey: Readonly<Record<RouteKey, readonly ErrorCode[]>> = {
  none: [],
  either: keyErrors,
  bearer: keyErrors,
  'x-api-key': keyErrors,
  google: keyErrors,
  admin: ['missing_api_key', 'invalid_api_key', 'revoked_api_key', 'rate_limit_exceeded'],
};

/** A change through the admin API needs more than the role `read_only`. */
const errorsOfRole: readonly ErrorCode[] = ['permission_denied'];

const errorsOfBody: readonly ErrorCode[] = [
  'invalid_json',
  'invalid_request',
  'request_timeout',
  'body_too_large',
];

const errorsOfForm = errorsOfBody.filter((code) => code !== 'invalid_json');

/**
 * A request with an ambiguous host, a failure of the server, and a lack of memory, of the store or of time at
 * a stop.
 */
const errorsOfEvery: readonly ErrorCode[] = ['invalid_request', 'internal_error', 'capacity_unavailable'];

/** Describes a route. Its errors include those of its key, its role and its body. */
export function operationOf({ method, path, describe }: Route): Operation {
  const described = describe ?? { summary: `${method} ${path}` };
  const key = described.key ?? 'none';
  const errors = [
    ...errorsOfKey[key],
    ...(key === 'admin' && method !== 'GET' ? errorsOfRole : []),
    ...(described.body ? errorsOfBody : []),
    ...(described.form ? errorsOfForm : []),
    ...(described.errors ?? []),
    ...errorsOfEvery,
  ];
  return {
    ...described,
    id: operationId(method, path),
    method,
    path: path.replaceAll('*}', '}'),
    group: described.group ?? 'Other',
    key,
    pathParameters: pathParameters(path),
    errors: [...new Set(errors)],
    style: styleOfPath(path),
  };
}

/** Derives the operation id: `GET /admin/v1/accounts/{id}/keys` becomes `getAdminAccountsByIdKeys`. */
function operationId(method: string, path: string): string {
  const words = path
    .replace(/\{(\w+)\*?\}/g, (_, name: string) => `by-${name}`)
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '' && word !== 'v1');
  const named = words.length > 0 ? words : ['root'];
  return method.toLowerCase() + named.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('');
}

/** The description of a parameter that matches the rest of the path. */
const SLASHES = ' Slashes can be sent as they are or as `%2F`.';

/** Values that `judgeTarget` admits. */
const ONE_SEGMENT = Type.String({ pattern: '^[^/\\\\\\x7f]+$' });
const ANY_SEGMENTS = Type.String({ pattern: '^[^\\\\\\x7f]+$' });

/**
 * Describes path parameters: `{id}` in `/accounts/{id}` is the id of an account, `{request_id}` the id of a
 * request.
 */
function pathParameters(path: string): RouteParameter[] {
  return [...path.matchAll(/([\w-]+)\/\{(\w+)(\*?)\}/g)].map(([, folder = '', name = '', rest]) => {
    const named = /^(\w+)_id$/.exec(name)?.[1];
    const thing = named ?? thingIn(folder);
    const member = named === undefined ? name : 'id';
    const article = /^[aeiou]/.test(thing) ? 'an' : 'a';
    return {
      name,
      description: `The ${member} of ${article} ${thing}.${rest ? SLASHES : ''}`,
      schema: rest ? ANY_SEGMENTS : ONE_SEGMENT,
      isRequired: true,
    };
  });
}

/** The things in folders whose names are not their plural. */
const things: Readonly<Record<string, string>> = { catalog: 'model', people: 'person' };

/** Returns the word for one of a folder's things: `account`, `entry` and `batch`. */
const thingIn = (folder: string): string =>
  lookUp(things, folder) ??
  folder
    .replace(/ies$/, 'y')
    .replace(/(?<=ch|sh|x)es$/, '')
    .replace(/s$/, '');

/** Groups operations, in the order in which the groups first appear. */
export function groupsOf(operations: readonly Operation[]): Map<OperationGroup, Operation[]> {
  return Map.groupBy(operations, ({ group }) => group);
}
