/**
 * The place in both sources of a feed up to which a reader knows the events: the number of a group of
 * records, and the place on the board of occurrences, which is a time.
 */
export type FeedPlace = { sequence: number; at: number };

/** Formats a place as the id of an event. Browsers send the last id when they connect again. */
export const formatPlace = ({ sequence, at }: FeedPlace): string => `${sequence}.${at}`;

/** Parses the id of an event. Returns undefined for a text of another form. */
export function parsePlace(id: string | null): FeedPlace | undefined {
  const [, sequence, at] = /^(\d{1,15})\.(\d{1,15})$/.exec(id ?? '') ?? [];
  return sequence === undefined || at === undefined
    ? undefined
    : { sequence: Number(sequence), at: Number(at) };
}
