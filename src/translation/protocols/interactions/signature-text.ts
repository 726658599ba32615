import type { ReplayToken } from '../../canonical/part.ts';
import {
  packRedactedSignature,
  packSignature,
  type SignatureToken,
  unpackSignature,
} from '../../encoding/signature-token.ts';

/** Returns what a thought carries as its signature. */
export const signatureText = (replay: ReplayToken): string =>
  replay.issuer === 'interactions' && replay.itemId === undefined
    ? replay.data
    : packSignature('interactions', replay);

/** Returns the signature of a thought that its vendor hides. */
export const redactedSignature = (replay: ReplayToken): string =>
  packRedactedSignature('interactions', replay);

/** Reads a signature that a client sends back. Returns undefined if it is empty or unreadable. */
export const readSignature = (signature: string): SignatureToken | undefined =>
  signature === '' ? undefined : unpackSignature(signature, { issuer: 'interactions', data: signature });
