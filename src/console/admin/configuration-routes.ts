import { orNull } from '../../base/schema/or-null.ts';
import { Type } from '../../base/schema/type.ts';
import type { AdminRole } from '../../customers/operators/admin-token.ts';
import { closed } from '../routes/closed.ts';
import { adminRouteWith } from './admin-route.ts';
import { problem, problemView } from './configuration-problem-view.ts';
import { reloaded } from './reload-outcome.ts';
import { reloadedOrThrow, replaceConfiguration } from './replace-configuration.ts';

const route = adminRouteWith<'accounts' | 'configuration' | 'reload'>();

/** The text of a configuration file. */
const text = Type.String({ maxLength: 5 * 1024 * 1024 });
const textOrNull = orNull(Type.String());

const group = 'Admin: operation';
const OWNERS: readonly AdminRole[] = ['owner'];
const PATH = '/admin/v1/configuration';

/** The routes for the configuration. Only owners see or change its file. */
export const configurationRoutes = [
  route(
    {
      method: 'POST',
      path: '/admin/v1/reload',
      group,
      summary: 'Reloads the configuration; an invalid file leaves the running configuration in place',
      answer: reloaded,
      returns:
        'The generation number of the running configuration, the settings that need a restart, and warnings.',
      errors: ['invalid_request'],
    },
    async ({ actor }, { reload }) => reloadedOrThrow(await reload(actor)),
  ),
  route(
    {
      method: 'GET',
      path: PATH,
      roles: OWNERS,
      group,
      summary: 'Shows the configuration file, with marks in place of secrets',
      answer: Type.Object(
        {
          file: textOrNull,
          text: textOrNull,
          hash: textOrNull,
          writable: Type.Boolean(),
          reason: textOrNull,
        },
        { title: 'Configuration' },
      ),
      returns: 'The text and its hash. `writable` is false where several processes read the file.',
    },
    async (_, { configuration }) => {
      const { isWritable: writable, ...shown } = await configuration.show();
      return { ...shown, writable };
    },
  ),
  route(
    {
      method: 'POST',
      path: `${PATH}/check`,
      roles: OWNERS,
      group,
      summary: 'Checks the text of a configuration without using it',
      body: Type.Object({ text }, closed),
      bodyExample: { text: 'server: { port: 8080 }\n' },
      answer: Type.Object({ problems: Type.Array(problem) }, { title: 'Configuration Check' }),
      returns: 'The problems. Marks stand for the secrets of the current file.',
    },
    async ({ body }, { configuration }) => ({
      problems: (await configuration.check(body.text)).map(problemView),
    }),
  ),
  route(
    {
      method: 'POST',
      path: PATH,
      roles: OWNERS,
      needsRecentSignIn: true,
      group,
      summary: 'Replaces the configuration file and reloads it',
      body: Type.Object(
        { text, hash: Type.String({ description: 'The hash of the file that the text replaces.' }) },
        closed,
      ),
      answer: reloaded,
      returns: 'The outcome of the reload.',
      errors: ['invalid_request', 'conflict'],
    },
    ({ body, actor }, parts) => replaceConfiguration({ ...body, actor }, parts),
  ),
];
