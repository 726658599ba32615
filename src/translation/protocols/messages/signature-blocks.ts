import type { ReplayToken } from '../../canonical/part.ts';
import { packReplay } from '../../encoding/replay-token.ts';
import type { Block } from './block.ts';

/** Packs a token of any vendor as a signature. Clients require the member, so it can be empty. */
export const signatureOf = (replay: ReplayToken | undefined): string =>
  replay === undefined ? '' : packReplay('messages', replay);

/** Returns the block of redacted thinking, which is only a token. */
export const redactedBlock = (replay: ReplayToken): Block => ({
  type: 'redacted_thinking',
  data: signatureOf(replay),
});

/**
 * Returns the block that carries the token of a call, which has no field for one in this protocol. The block
 * precedes the call and names its id.
 */
export const callProof = (callId: string, replay: ReplayToken): Block =>
  redactedBlock({ ...replay, itemId: callId });
