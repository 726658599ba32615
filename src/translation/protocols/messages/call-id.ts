import { createHash } from 'node:crypto';

const PLAIN = /^[a-zA-Z0-9_-]+$/;

/** Other vendors put dots and colons into the ids of calls. The hash keeps apart what would become the same. */
export function encodeCallId(callId: string): string {
  if (PLAIN.test(callId)) return callId;
  const hash = createHash('sha256').update(callId).digest('base64url').slice(0, 10);
  return `${callId.replace(/[^a-zA-Z0-9_-]/g, '_')}_${hash}`;
}
