import type { ReplayToken } from '../../canonical/part.ts';
import { packReplay, REDACTED, unpackReplay } from '../../encoding/replay-token.ts';

const LABEL = /^tollgate-re(?:play|dacted)-v1:/;

/**
 * Returns what a thought carries as its signature.
 * A token of another vendor is packed and written in base64, as signatures are.
 */
export const signatureText = (replay: ReplayToken): string =>
  replay.issuer === 'interactions' && replay.itemId === undefined ? replay.data : packedText('', replay);

/** Returns the signature of a thought that its vendor hides. */
export const redactedSignature = (replay: ReplayToken): string => packedText(REDACTED, replay);

const packedText = (label: string, replay: ReplayToken): string =>
  Buffer.from(label + packReplay('interactions', replay)).toString('base64');

/** Reads a signature that a client sends back. Returns undefined if it is empty or unreadable. */
export function readSignature(signature: string): { replay: ReplayToken; isRedacted: boolean } | undefined {
  if (signature === '') return undefined;
  const packed = Buffer.from(signature, 'base64').toString('latin1');
  if (!LABEL.test(packed)) return { replay: { issuer: 'interactions', data: signature }, isRedacted: false };
  const replay = unpackReplay('interactions', packed);
  return replay && { replay, isRedacted: packed.startsWith(REDACTED) };
}
