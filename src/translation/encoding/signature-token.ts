import type { ReplayToken } from '../canonical/part.ts';
import type { ProtocolId } from '../canonical/protocol-id.ts';
import { packReplay, REDACTED, unpackReplay } from './replay-token.ts';

const LABEL = /^tollgate-re(?:play|dacted)-v1:/;

/** Packs another vendor's token in base64, for dialects whose clients decode signatures. */
export const packSignature = (dialect: ProtocolId, replay: ReplayToken): string =>
  inBase64(packReplay(dialect, replay));

/** Packs the token of thoughts that its vendor hides. */
export const packRedactedSignature = (dialect: ProtocolId, replay: ReplayToken): string =>
  inBase64(REDACTED + packReplay(dialect, replay));

const inBase64 = (text: string): string => Buffer.from(text).toString('base64');

/** A token that came as a signature. `isRedacted`: it stands for thoughts that its vendor hides. */
export type SignatureToken = { replay: ReplayToken; isRedacted: boolean };

/** Unpacks a signature. `own`: the token that it is if it comes from the dialect's own vendor. */
export function unpackSignature(signature: string, own: ReplayToken): SignatureToken | undefined {
  const packed = Buffer.from(signature, 'base64').toString('latin1');
  if (!LABEL.test(packed)) return { replay: own, isRedacted: false };
  const replay = unpackReplay(own.issuer, packed);
  return replay && { replay, isRedacted: packed.startsWith(REDACTED) };
}
