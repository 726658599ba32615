import type { ReplayToken } from '../../canonical/part.ts';

/** The kind of part that a signature came on and must return on. */
export type SignedKind = 'thought' | 'text' | 'call';

/** The kind in front of a signature, as one of SignedKind. */
const LABELLED = /^(thought|text|call):/;

/** Builds the token. It contains the kind, since a dialect may move the token to another kind of part. */
export const tokenOf = (kind: SignedKind, signature: string): ReplayToken => ({
  issuer: 'google',
  data: `${kind}:${signature}`,
});

/** Reads a token. One without a kind came on a thought. */
export function signatureOf({ data }: ReplayToken): { kind: SignedKind; signature: string } {
  const label = LABELLED.exec(data);
  if (label === null) return { kind: 'thought', signature: data };
  return { kind: label[1] as SignedKind, signature: data.slice(label[0].length) };
}
