import { createHmac } from 'node:crypto';

/**
 * Returns the signature of a body: the time in Unix seconds, and HMAC-SHA256
 * over the time, a dot and the body.
 */
export function signBody(body: string, secret: string, nowMs: number): string {
  const seconds = Math.floor(nowMs / 1_000);
  const digest = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
  return `t=${seconds},v1=${digest}`;
}
