import { createHash } from 'node:crypto';

const USABLE = /^[A-Za-z0-9_-]{1,64}$/;

/** Other vendors' ids can hold what this one refuses; the same id always becomes the same. */
export function callIdFor(callId: string): string {
  if (USABLE.test(callId)) return callId;
  return `tooluse_${createHash('sha256').update(callId).digest('hex').slice(0, 32)}`;
}
