import { Refusal } from '../../base/errors/refusal.ts';
import type { ApiKey } from './api-key.ts';

/** Refuses a change of a key that is revoked or has expired. */
export function refuseEndedKey(key: ApiKey, now: number): Refusal | undefined {
  const revoked = refuseRevokedKey(key);
  if (revoked) return revoked;
  if (key.expiresAt === null || key.expiresAt > now) return undefined;
  return new Refusal('conflict', {
    message: 'This API key has expired. Set a later `expires_at` first.',
  });
}

/** Refuses a change of a key that is revoked. */
export const refuseRevokedKey = ({ revokedAt }: ApiKey): Refusal | undefined =>
  revokedAt === null
    ? undefined
    : new Refusal('conflict', { message: 'This API key was revoked; create another one.' });
