import { Type } from '../../base/schema/type.ts';
import { accepted } from '../routes/accepted.ts';
import { closed } from '../routes/closed.ts';
import { adminRouteWith } from './admin-route.ts';

const route = adminRouteWith<'settings'>();

/** The route that encrypts stored secrets with another key. */
export const secretRoutes = [
  route(
    {
      method: 'POST',
      path: '/admin/v1/secrets/rotate',
      group: 'Admin: operation',
      summary: 'Encrypts all stored credentials with the new key while the server runs',
      body: Type.Object(
        {
          new_key: Type.Optional(
            Type.String({
              minLength: 1,
              maxLength: 200,
              description:
                'The new key: base64 of 32 bytes. Left out: a generated one. With TOLLGATE_SECRET_KEY, the first key of the variable is the new one.',
            }),
          ),
        },
        closed,
      ),
      bodyExample: {},
      answer: Type.Object(
        {
          rotated: Type.Integer({ description: 'The number of rows that were encrypted again.' }),
          unreadable: Type.Array(Type.String(), {
            description: 'The providers whose credential no key decrypts. They stay as they are.',
          }),
        },
        { title: 'Rotated Secrets' },
      ),
      returns: 'What was encrypted again. The former key is useless afterwards.',
      errors: ['invalid_request', 'conflict'],
    },
    async ({ body, actor }, { settings }) => accepted(await settings.secrets.rotate(body.new_key, actor)),
  ),
];
