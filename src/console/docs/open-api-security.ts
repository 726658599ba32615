import type { Names } from '../../base/lib/names.ts';
import type { RouteKey } from '../../edge/http/route.ts';

/** Returns the ways to send a credential, as components of OpenAPI. */
export const securitySchemes = ({ keyPrefix }: Names) => {
  const description = `An API key (\`${keyPrefix}…\`).`;
  return {
    bearer: { type: 'http', scheme: 'bearer', description },
    'x-api-key': { type: 'apiKey', in: 'header', name: 'x-api-key', description },
    'x-goog-api-key': { type: 'apiKey', in: 'header', name: 'x-goog-api-key', description },
    'admin-token': {
      type: 'http',
      scheme: 'bearer',
      description: 'An admin token whose role allows the request.',
    },
  };
};

type SchemeName = keyof ReturnType<typeof securitySchemes>;

/** Requires one way to send a credential. OpenAPI lists scopes, which this API does not have. */
const by = <Name extends SchemeName>(name: Name) => ({ [name]: [] });

/** The credentials of a route. One of them is enough. */
export const securityByKey: Readonly<Record<RouteKey, readonly object[]>> = {
  none: [],
  either: [by('x-api-key'), by('bearer')],
  bearer: [by('bearer')],
  'x-api-key': [by('x-api-key')],
  google: [by('x-goog-api-key')],
  admin: [by('admin-token')],
};
