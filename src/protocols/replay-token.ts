import type { ReplayToken } from '../canonical/part.ts';
import type { ProtocolId } from '../canonical/protocol-id.ts';

export const PACKED = 'tollgate-replay-v1:';

/** A foreign token travels inside the dialect's own opaque field, labelled, so that it finds its way home. */
export function packReplay(dialect: ProtocolId, token: ReplayToken): string {
  if (token.issuer === dialect && token.itemId === undefined) return token.data;
  return PACKED + Buffer.from(JSON.stringify(token)).toString('base64url');
}

/** The inverse. A string without our label was issued by the dialect's own vendor; one with a broken label is nobody's. */
export function unpackReplay(dialect: ProtocolId, packed: string): ReplayToken | undefined {
  if (!packed.startsWith(PACKED)) return { issuer: dialect, data: packed };
  try {
    const token = JSON.parse(Buffer.from(packed.slice(PACKED.length), 'base64url').toString()) as ReplayToken;
    return typeof token.issuer === 'string' && typeof token.data === 'string' ? token : undefined;
  } catch {
    return undefined;
  }
}
