import { isoTime, isoTimeOrNull } from '../../base/lib/iso-time.ts';
import type { AdminToken } from '../../customers/operators/admin-token.ts';

/** The token as the admin API shows it, without its hashes. */
export const tokenView = (token: AdminToken) => ({
  id: token.id,
  name: token.name,
  role: token.role,
  hint: token.hint,
  created_at: isoTime(token.createdAt),
  expires_at: isoTimeOrNull(token.expiresAt),
  previous_secret_ends_at: isoTimeOrNull(token.previous?.endsAt ?? null),
  revoked_at: isoTimeOrNull(token.revokedAt),
});
