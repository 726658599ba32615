import type { ReplayToken } from '../../canonical/part.ts';
import { packReplay, REDACTED, unpackReplay } from '../../encoding/replay-token.ts';

const LABEL = /^tollgate-re(?:play|dacted)-v1:/;

/**
 * Returns what a thought carries as its signature.
 * A token of another vendor is packed and written in base64, as signatures are.
 */
export function signatureText(replay: ReplayToken, isRedacted = false): string {
  if (replay.issuer === 'interactions' && replay.itemId === undefined && !isRedacted) return replay.data;
  const packed = packReplay('interactions', replay);
  return Buffer.from(isRedacted ? REDACTED + packed : packed).toString('base64');
}

/** Does the reverse. Returns undefined if the signature proves nothing. */
export function readSignature(signature: string): { replay: ReplayToken; isRedacted: boolean } | undefined {
  if (signature === '') return undefined;
  const packed = Buffer.from(signature, 'base64').toString('latin1');
  if (!LABEL.test(packed)) return { replay: { issuer: 'interactions', data: signature }, isRedacted: false };
  const replay = unpackReplay('interactions', packed);
  return replay && { replay, isRedacted: packed.startsWith(REDACTED) };
}
