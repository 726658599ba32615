import { msOf } from '../../base/lib/units.ts';
import { Type } from '../../base/schema/type.ts';
import { type AdminRole, adminRoles } from '../../customers/operators/admin-token.ts';
import { accepted } from '../routes/accepted.ts';
import { closed } from '../routes/closed.ts';
import { listOf, listView } from '../routes/list.ts';
import { NAME } from '../routes/name-texts.ts';
import { adminRouteWith } from './admin-route.ts';
import { expiresAtField, rotationBody, secretExpiry } from './secret-fields.ts';
import { newToken, newTokenView, token, tokenView } from './token-view.ts';

const route = adminRouteWith<'tokens'>();

const group = 'Admin: tokens';
/** A rotation shows a token too, and a revocation could lock out an owner. */
const OWNERS: readonly AdminRole[] = ['owner'];
const PATH = '/admin/v1/tokens';

/** The routes for admin tokens. */
export const tokenRoutes = [
  route(
    {
      method: 'POST',
      path: PATH,
      roles: OWNERS,
      needsRecentSignIn: true,
      group,
      summary: 'Creates an admin token; only owners can',
      body: Type.Object(
        {
          name: Type.String(NAME),
          role: Type.Enum(adminRoles),
          expires_at: Type.Optional(
            expiresAtField('A time in the future. `null` means that the token does not expire.'),
          ),
        },
        closed,
      ),
      bodyExample: { name: 'on-call', role: 'operator', expires_at: '2027-12-31T00:00:00Z' },
      status: 201,
      answer: newToken,
      returns: 'The token. The full token is shown only in this answer.',
      errors: ['conflict'],
    },
    async ({ body: { name, role, expires_at = null }, actor }, { tokens }) => {
      const wanted = { name: name.trim(), role, expiresAt: secretExpiry(expires_at) };
      return newTokenView(accepted(await tokens.create(wanted, actor)));
    },
  ),
  route(
    {
      method: 'GET',
      path: PATH,
      group,
      summary: 'Lists the admin tokens, revoked ones included',
      answer: listOf(token),
      returns: 'The tokens, oldest first. Each one shows only its first characters.',
    },
    async (_, { tokens }) => listView((await tokens.list()).map(tokenView)),
  ),
  route(
    {
      method: 'POST',
      path: `${PATH}/{id}/rotate`,
      roles: OWNERS,
      needsRecentSignIn: true,
      group,
      summary: 'Gives an admin token a new secret; the replaced one stays valid for `overlap_s`',
      body: rotationBody,
      bodyExample: { overlap_s: 3_600 },
      answer: newToken,
      returns: 'The token with its new secret, which is shown only in this answer.',
      errors: ['not_found', 'conflict'],
    },
    async ({ params, body: { overlap_s = 0 }, actor }, { tokens }) =>
      newTokenView(accepted(await tokens.rotate(params.id, msOf(overlap_s), actor))),
  ),
  route(
    {
      method: 'DELETE',
      path: `${PATH}/{id}`,
      roles: OWNERS,
      needsRecentSignIn: true,
      group,
      summary: 'Revokes an admin token permanently',
      answer: token,
      returns: 'The token, with the time of its revocation.',
      errors: ['not_found'],
    },
    async ({ params, actor }, { tokens }) => tokenView(accepted(await tokens.revoke(params.id, actor))),
  ),
];
