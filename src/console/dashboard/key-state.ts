import type { ApiKey } from '../../money/accounts/api-key.ts';
import type { ListedKey } from './key-schema.ts';

/** Reports whether a key is revoked or expired. Such a key can no longer be changed. */
export const hasEnded = ({ revokedAt, expiresAt }: ApiKey, now: number): boolean =>
  revokedAt !== null || (expiresAt !== null && expiresAt <= now);

/** Returns the state of a key as pages name it. */
export function keyStateOf(key: ApiKey, now: number): ListedKey['state'] {
  if (key.revokedAt !== null) return 'revoked';
  if (hasEnded(key, now)) return 'expired';
  return key.previous !== null && key.previous.endsAt > now ? 'rotating' : 'active';
}
