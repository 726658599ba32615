/** Something that open pages of the dashboard show at once, apart from requests. */
export type Occurrence = {
  /** A fault of a provider, or a budget that is nearly spent or exhausted. */
  type: 'fault' | 'budget';
  /** The account whose members see it. `null` means that only operators see it. */
  account: string | null;
  /** The event that pages get. It names no provider if the occurrence has an account. */
  data: Readonly<Record<string, unknown>>;
};

/** An occurrence as it is published. Repetitions of a notice have the same `id`. */
export type PublishedOccurrence = Occurrence & { id: string; at: number };

/** An occurrence with its number in the order in which one board has shown them, counted from 1. */
export type ShownOccurrence = PublishedOccurrence & { number: number };

/** The last occurrence that a reader knows from a board. Each process has a board of its own. */
export type BoardPlace = { board: string; number: number };
