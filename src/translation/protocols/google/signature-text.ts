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
export const signatureText = (replay: ReplayToken): string => labeledText('', replay);

/** Returns the signature of a part whose thoughts its vendor hides. */
export const redactedSignature = (replay: ReplayToken): string => labeledText(REDACTED, replay);

const labeledText = (label: string, replay: ReplayToken): string =>
  replay.issuer === 'google'
    ? signatureOf(replay).signature
    : Buffer.from(label + packReplay('google', replay)).toString('base64');

/** A token that came as a signature. `isRedacted`: it stands for thoughts that its vendor hides. */
type ReadSignature = { replay: ReplayToken; isRedacted: boolean };

/** Reads the signature of a part as a token. Returns undefined if the signature proves nothing. */
export function readSignature(signature: string, kind: SignedKind): ReadSignature | undefined {
  if (signature === '' || signature === UNSIGNED) return undefined;
  const packed = Buffer.from(signature, 'base64').toString('latin1');
  if (!LABEL.test(packed)) return { replay: tokenOf(kind, signature), isRedacted: false };
  const replay = unpackReplay('google', packed);
  return replay && { replay, isRedacted: packed.startsWith(REDACTED) };
}
