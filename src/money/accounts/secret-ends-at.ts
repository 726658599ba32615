import type { ReplacedSecret } from './api-key.ts';

/** A credential that can be rotated and can expire. */
export type RotatableCredential = { hash: string; previous: ReplacedSecret | null; expiresAt: number | null };

/**
 * Returns the time from which the secret with this hash is refused. A secret that an earlier rotation
 * replaced has ended.
 */
export function secretEndsAt({ hash, previous, expiresAt }: RotatableCredential, secretHash: string): number {
  const expiry = expiresAt ?? Number.POSITIVE_INFINITY;
  if (secretHash === hash) return expiry;
  return secretHash === previous?.hash ? Math.min(previous.endsAt, expiry) : Number.NEGATIVE_INFINITY;
}
