import type { ReplayToken } from '../../canonical/part.ts';

/** The kind of part that a signature came on, and has to go back on. */
export type SignedKind = 'thought' | 'text' | 'call';

const LABELLED = /^(thought|text|call):/;

/** The kind is kept in the token: on its way through a dialect it may have to sit in another kind of part. */
export const tokenOf = (kind: SignedKind, signature: string): ReplayToken => ({
  issuer: 'google',
  data: `${kind}:${signature}`,
});

export function signatureOf({ data }: ReplayToken): { kind: SignedKind; signature: string } {
  const label = LABELLED.exec(data);
  if (label === null) return { kind: 'thought', signature: data };
  return { kind: label[1] as SignedKind, signature: data.slice(label[0].length) };
}
