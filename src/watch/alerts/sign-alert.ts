import { createHmac } from 'node:crypto';

type UnsignedAlert = { body: string; secret: string; nowMs: number };

/**
 * Returns the signature of a body in the form of Stripe: the time in Unix seconds, and HMAC-SHA256 over the
 * time, a dot and the body.
 */
export function signAlert({ body, secret, nowMs }: UnsignedAlert): string {
  const seconds = Math.floor(nowMs / 1_000);
  const digest = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
  return `t=${seconds},v1=${digest}`;
}
