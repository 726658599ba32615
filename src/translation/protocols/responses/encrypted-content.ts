import type { ReplayToken } from '../../canonical/part.ts';
import { packReplay, REDACTED, unpackReplay } from '../replay-token.ts';

/** The one opaque field that reasoning has here carries the tokens of every vendor. */
export const packThinking = (replay: ReplayToken): string => packReplay('responses', replay);

export const packRedacted = (replay: ReplayToken): string => REDACTED + packReplay('responses', replay);

export type UnpackedContent = { isRedacted: boolean; replay: ReplayToken };

export function unpackContent(packed: string, itemId: string | undefined): UnpackedContent | undefined {
  const isRedacted = packed.startsWith(REDACTED);
  const replay = unpackReplay('responses', isRedacted ? packed.slice(REDACTED.length) : packed);
  if (replay === undefined) return undefined;
  // A token that came without a label belongs to the item that it is in.
  const isBare = replay.data === packed && itemId !== undefined;
  return { isRedacted, replay: isBare ? { ...replay, itemId } : replay };
}
