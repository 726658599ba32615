/** Something that open pages of the dashboard show at once, apart from requests. */
export type Occurrence = {
  /** A fault of a provider, or a budget that is nearly spent or exhausted. */
  type: 'fault' | 'budget';
  /** The account whose members see it. It is `null` if only operators do. */
  account: string | null;
  /** The event that pages get. Members see it too, so it names no provider if it has an account. */
  data: Readonly<Record<string, unknown>>;
};

/** An occurrence as its node announces it. An announcement can arrive twice, with the same `id`. */
export type PublishedOccurrence = Occurrence & {
  id: string;
  /** The time on the clock of the node that published it. */
  at: number;
};

/** An occurrence on the board of one node. `place` increases with each occurrence that the board shows. */
export type ShownOccurrence = PublishedOccurrence & { place: number };
