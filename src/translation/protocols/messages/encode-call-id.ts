import { createHash } from 'node:crypto';

const PLAIN = /^[a-zA-Z0-9_-]+$/;

/** Replaces characters that this vendor refuses in call ids. A hash keeps different ids distinct. */
export function encodeCallId(callId: string): string {
  if (PLAIN.test(callId)) return callId;
  const hash = createHash('sha256').update(callId).digest('base64url').slice(0, 10);
  return `${callId.replace(/[^a-zA-Z0-9_-]/g, '_')}_${hash}`;
}
