import type { ReplayToken } from '../canonical/part.ts';
import type { ProtocolId } from '../canonical/protocol-id.ts';

const PACKED = 'tollgate-replay-v1:';

/** Marks a block of thinking that its vendor hides, in the responses protocol, which has one field for both kinds. */
export const REDACTED = 'tollgate-redacted-v1:';

const LABEL_START = 'tollgate-re';

/**
 * Whether a body may hold what we packed on an earlier turn: the vendor of its own protocol would refuse that. The labels stay the same
 * whatever the operator's brand is, since a conversation may be older than the brand. One search, 0.2 µs a KB, tells for nearly all bodies.
 */
export const mayHoldPacked = (text: string): boolean =>
  text.includes(LABEL_START) && (text.includes(PACKED) || text.includes(REDACTED));

/** A foreign token travels inside the dialect's own opaque field, labelled, so that it finds its way home. */
export function packReplay(dialect: ProtocolId, token: ReplayToken): string {
  if (token.issuer === dialect && token.itemId === undefined) return token.data;
  return PACKED + Buffer.from(JSON.stringify(token)).toString('base64url');
}

/** The inverse. A string without our label was issued by the dialect's own vendor; one with a broken label is nobody's. */
export function unpackReplay(dialect: ProtocolId, packed: string): ReplayToken | undefined {
  if (packed.startsWith(REDACTED)) return unpackReplay('responses', packed.slice(REDACTED.length));
  if (!packed.startsWith(PACKED)) return { issuer: dialect, data: packed };
  try {
    const token = JSON.parse(Buffer.from(packed.slice(PACKED.length), 'base64url').toString()) as ReplayToken;
    return typeof token.issuer === 'string' && typeof token.data === 'string' ? token : undefined;
  } catch {
    return undefined;
  }
}
