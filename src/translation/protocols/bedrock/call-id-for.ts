import { createHash } from 'node:crypto';

const USABLE = /^[A-Za-z0-9_-]{1,64}$/;

/** Returns a call id that this vendor accepts. The same id always gives the same result. */
export function callIdFor(callId: string): string {
  if (USABLE.test(callId)) return callId;
  return `tooluse_${createHash('sha256').update(callId).digest('hex').slice(0, 32)}`;
}
