import { time } from '../../base/schema/time-schema.ts';
import { Type } from '../../base/schema/type.ts';
import { adminRoles } from '../../customers/operators/admin-token.ts';
import type { RouteDescription } from '../../edge/http/route.ts';
import { listOf, orNull } from './admin-answers.ts';
import { newTokenBody, rotationBody } from './token-bodies.ts';

const text = Type.String();
const tokenFields = {
  id: text,
  name: Type.String({ description: 'The actor in the audit log.' }),
  role: Type.Enum(adminRoles, {
    description:
      '`owner`: everything; `operator`: everything except changes of admin tokens; `read_only`: only reads, and no recorded content.',
  }),
  hint: Type.String({ description: 'The first characters of the token.' }),
  created_at: time,
  expires_at: orNull(time, 'From this time on the token is refused. Null: it does not expire.'),
  previous_secret_ends_at: orNull(time, 'The end of the overlap of the latest rotation. Null: not rotated.'),
  revoked_at: orNull(time, 'Null: the token is not revoked.'),
};
const token = Type.Object(tokenFields, { title: 'Admin Token' });
const newToken = Type.Object(
  { ...tokenFields, token: Type.String({ description: 'The full token, shown only in this answer.' }) },
  { title: 'New Admin Token' },
);

const tokens = { group: 'Admin: tokens', key: 'admin' } as const;

/** Describes the routes for admin tokens. */
export const tokenDescriptions = {
  createToken: {
    ...tokens,
    summary: 'Creates an admin token; only owners can',
    body: newTokenBody.schema,
    bodyExample: { name: 'on-call', role: 'operator', expires_at: '2027-12-31T00:00:00Z' },
    answer: 'The token. The full token is shown only in this answer.',
    answerStatus: 201,
    answerSchema: newToken,
    errors: ['conflict'],
  },
  listTokens: {
    ...tokens,
    summary: 'Lists the admin tokens, revoked ones included',
    answer: 'The tokens, oldest first. Each one shows only its first characters.',
    answerSchema: listOf(token),
  },
  rotateToken: {
    ...tokens,
    summary: 'Gives an admin token another secret; the replaced one stays valid for `overlap_s`',
    body: rotationBody.schema,
    bodyExample: { overlap_s: 3_600 },
    answer: 'The token with its new secret, which is shown only in this answer.',
    answerSchema: newToken,
    errors: ['not_found', 'conflict'],
  },
  revokeToken: {
    ...tokens,
    summary: 'Revokes an admin token permanently',
    answer: 'The token, with the time of its revocation.',
    answerSchema: token,
    errors: ['not_found'],
  },
} satisfies Record<string, RouteDescription>;
