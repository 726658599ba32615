import { isoTime, isoTimeOrNull } from '../../base/lib/iso-time.ts';
import { orNull } from '../../base/schema/or-null.ts';
import { time } from '../../base/schema/time-schema.ts';
import { Type } from '../../base/schema/type.ts';
import { type AdminToken, adminRoles } from '../../customers/operators/admin-token.ts';
import type { TokenWithSecret } from '../../customers/operators/token-service.ts';
import type { ViewOf } from '../routes/typed-route.ts';

const text = Type.String();
const tokenFields = {
  id: text,
  name: Type.String({ description: 'The actor in the audit log.' }),
  role: Type.Enum(adminRoles, {
    description:
      '`owner`: everything; `operator`: everything except operator roles, admin tokens, people and the configuration file; `read_only`: only reads, and no recorded content.',
  }),
  hint: Type.String({ description: 'The first characters of the token.' }),
  created_at: time,
  expires_at: orNull(time, 'From this time on the token is refused. `null` means that it does not expire.'),
  previous_secret_ends_at: orNull(
    time,
    'The end of the overlap of the latest rotation. `null` means that it was not rotated.',
  ),
  revoked_at: orNull(time, '`null` means that the token is not revoked.'),
};
/** An admin token without its secret. */
export const token = Type.Object(tokenFields, { title: 'Admin Token' });
/** An admin token with its secret. */
export const newToken = Type.Object(
  { ...tokenFields, token: Type.String({ description: 'The full token, shown only in this answer.' }) },
  { title: 'New Admin Token' },
);

/** Shows a token without its hashes. */
export const tokenView = (adminToken: AdminToken): ViewOf<typeof token> => ({
  id: adminToken.id,
  name: adminToken.name,
  role: adminToken.role,
  hint: adminToken.hint,
  created_at: isoTime(adminToken.createdAt),
  expires_at: isoTimeOrNull(adminToken.expiresAt),
  previous_secret_ends_at: isoTimeOrNull(adminToken.previous?.endsAt ?? null),
  revoked_at: isoTimeOrNull(adminToken.revokedAt),
});

/** Shows a token with its new secret. */
export function newTokenView({ token, secret }: TokenWithSecret): ViewOf<typeof newToken> {
  const { id, ...view } = tokenView(token);
  return { id, token: secret, ...view };
}
