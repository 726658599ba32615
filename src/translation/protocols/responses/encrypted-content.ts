import type { ReplayToken } from '../../canonical/part.ts';
import { packReplay, REDACTED, unpackReplay } from '../../encoding/replay-token.ts';

/** Packs a token of any vendor into the only opaque field of reasoning items. */
export const packThinking = (replay: ReplayToken): string => packReplay('responses', replay);

/** Packs the token of thinking that its vendor hides. */
export const packRedacted = (replay: ReplayToken): string => REDACTED + packReplay('responses', replay);

type UnpackedContent = { isRedacted: boolean; replay: ReplayToken };

/** Unpacks what the two functions above have packed. Returns undefined if the token cannot be read. */
export function unpackContent(packed: string, itemId: string | undefined): UnpackedContent | undefined {
  const isRedacted = packed.startsWith(REDACTED);
  const replay = unpackReplay('responses', isRedacted ? packed.slice(REDACTED.length) : packed);
  if (replay === undefined) return undefined;
  // A token without a label belongs to the item that contains it.
  const isBare = replay.data === packed && itemId !== undefined;
  return { isRedacted, replay: isBare ? { ...replay, itemId } : replay };
}
