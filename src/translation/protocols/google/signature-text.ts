import type { ReplayToken } from '../../canonical/part.ts';
import type { ProtocolId } from '../../canonical/protocol-id.ts';
import {
  packRedactedSignature,
  packSignature,
  type SignatureToken,
  unpackSignature,
} from '../../encoding/signature-token.ts';
import { type SignedKind, signatureOf, tokenOf } from './thought-signature.ts';

/** Google documents this value for calls that no model of its own has signed. */
export const UNSIGNED = 'skip_thought_signature_validator';

/** The field holds bytes, so clients such as LiteLLM send the value in base64. */
const UNSIGNED_IN_BASE64 = Buffer.from(UNSIGNED).toString('base64');

/** The protocols that sign calls as well as thoughts. The token of a call must stay on the call. */
const SIGNING_CALLS: ReadonlySet<ProtocolId> = new Set(['google', 'chat-completions']);

/** Reports whether a token can only be a thought's. Then a text or a call can carry it. */
export const isMovable = ({ replay }: SignatureToken): boolean => !SIGNING_CALLS.has(replay.issuer);

/** Returns what a part carries as its signature. */
export const signatureText = (replay: ReplayToken): string =>
  replay.issuer === 'google' ? signatureOf(replay).signature : packSignature('google', replay);

/** Returns the signature of a part whose thoughts its vendor hides. */
export const redactedSignature = (replay: ReplayToken): string =>
  replay.issuer === 'google' ? signatureOf(replay).signature : packRedactedSignature('google', replay);

/** Reads the signature of a part as a token. Returns undefined if the signature proves nothing. */
export function readSignature(signature: string, kind: SignedKind): SignatureToken | undefined {
  if (['', UNSIGNED, UNSIGNED_IN_BASE64].includes(signature)) return undefined;
  return unpackSignature(signature, tokenOf(kind, signature));
}
