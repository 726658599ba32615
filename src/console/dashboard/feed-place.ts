import type { BoardPlace } from '../../watch/live/occurrence.ts';

/**
 * The place in both sources of a feed up to which a reader knows the events: the number of a group of
 * records, and a place on the board.
 */
export type FeedPlace = BoardPlace & { sequence: number };

/** Formats a place as the id of an event. Browsers send the last id when they connect again. */
export const formatPlace = ({ sequence, board, number }: FeedPlace): string =>
  `${sequence}.${board}.${number}`;

/** Parses the id of an event. Returns undefined for a text of another form. */
export function parsePlace(id: string | null): FeedPlace | undefined {
  const [, sequence, board, number] = /^(\d{1,15})\.(\w{1,40})\.(\d{1,15})$/.exec(id ?? '') ?? [];
  if (sequence === undefined || board === undefined) return undefined;
  return { sequence: Number(sequence), board, number: Number(number) };
}
