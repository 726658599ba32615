import { createHmac } from 'node:crypto';
import { isSameSecret } from '../../../base/lib/is-same-secret.ts';

/** A message of Stripe with what its signature is checked against. */
export type SignedMessage = {
  body: string | Uint8Array;
  /** The header `stripe-signature`: `t=1700000000,v1=…,v1=…`. */
  header: string | null;
  secrets: readonly string[];
  toleranceS: number;
  nowMs: number;
};

/** Returns undefined if one of the secrets signed the message recently, else the reason for a refusal. */
export function signatureProblem(message: SignedMessage): string | undefined {
  const { body, header, secrets, toleranceS, nowMs } = message;
  const pairs = (header ?? '').split(',').map((pair) => pair.trim().split('='));
  const time = pairs.find(([name]) => name === 't')?.[1] ?? '';
  const signatures = pairs.filter(([name]) => name === 'v1').map(([, value]) => value ?? '');
  if (!/^\d{1,12}$/.test(time) || signatures.length === 0) return 'The signature is missing or malformed.';
  const isSigned = secrets.some((secret) => {
    const expected = createHmac('sha256', secret).update(`${time}.`).update(body).digest('hex');
    return signatures.some((signature) => isSameSecret(signature, expected));
  });
  if (!isSigned) return 'The signature does not match.';
  const ageS = Math.abs(nowMs / 1_000 - Number(time));
  return ageS > toleranceS ? 'The signature is too old.' : undefined;
}
