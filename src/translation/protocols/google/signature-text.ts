import type { ReplayToken } from '../../canonical/part.ts';
import { packReplay, REDACTED, unpackReplay } from '../../encoding/replay-token.ts';
import { type SignedKind, signatureOf, tokenOf } from './thought-signature.ts';

/** Google documents this value for calls that no model of its own has signed. */
export const UNSIGNED = 'skip_thought_signature_validator';

const LABEL = /^tollgate-re(?:play|dacted)-v1:/;

/**
 * Returns what a part carries as its signature. A token of another vendor is packed and then written in
 * base64, because the vendor's clients decode signatures.
 */
export function signatureText(replay: ReplayToken, isRedacted = false): string {
  if (replay.issuer === 'google') return signatureOf(replay).signature;
  const packed = packReplay('google', replay);
  return Buffer.from(isRedacted ? REDACTED + packed : packed).toString('base64');
}

/** A token that came as a signature. */
export type ReadSignature = { replay: ReplayToken; isRedacted: boolean };

/** Does the reverse. Returns undefined if the signature proves nothing. */
export function readSignature(signature: string, kind: SignedKind): ReadSignature | undefined {
  if (signature === '' || signature === UNSIGNED) return undefined;
  const packed = Buffer.from(signature, 'base64').toString('latin1');
  if (!LABEL.test(packed)) return { replay: tokenOf(kind, signature), isRedacted: false };
  const replay = unpackReplay('google', packed);
  return replay && { replay, isRedacted: packed.startsWith(REDACTED) };
}
