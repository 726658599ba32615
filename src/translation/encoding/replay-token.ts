import type { ReplayToken } from '../canonical/part.ts';
import type { ProtocolId } from '../canonical/protocol-id.ts';

const PACKED = 'tollgate-replay-v1:';

/**
 * Marks a redacted thinking block in the responses protocol, which has one field for both kinds of thinking.
 */
export const REDACTED = 'tollgate-redacted-v1:';

/**
 * The beginnings of the two labels.
 * A pattern of several words is found in an eighth of the time of their common beginning.
 */
const LABEL_START = /tollgate-re(?:play|dacted)/;

/** The common beginning of the labels, as it is in a signature of Google's dialect. */
const LABEL_IN_BASE64 = Buffer.from('tollgate-re').toString('base64').slice(0, 14);

/**
 * Reports whether a body may hold tokens that the gateway packed on an earlier turn.
 * The protocol's own vendor would refuse those.
 *
 * The labels do not follow the operator's brand, since a conversation may be older than the brand. For nearly
 * all bodies one search decides, at 0.05 µs per KB.
 */
export const mayHoldPacked = (text: string, dialect: ProtocolId): boolean =>
  dialect === 'google' || dialect === 'interactions'
    ? text.includes(LABEL_IN_BASE64)
    : LABEL_START.test(text) && (text.includes(PACKED) || text.includes(REDACTED));

/** Packs another vendor's token into the dialect's opaque field, with a label that names its issuer. */
export function packReplay(dialect: ProtocolId, token: ReplayToken): string {
  if (token.issuer === dialect && token.itemId === undefined) return token.data;
  return PACKED + Buffer.from(JSON.stringify(token)).toString('base64url');
}

/**
 * Unpacks a token. A string without a label was issued by the dialect's own vendor. Returns undefined for a
 * damaged label.
 */
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
