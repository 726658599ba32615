/** The labels for which a request is counted apart from its account and key. */
export type SpendLabels = {
  /** The member that the key belongs to. */
  personId: string | null;
  endUser: string | null;
  tags: readonly string[];
};

/** Labels as values in a fixed order, as entries have them. */
export type LabelValues = [personId: string | null, endUser: string | null, tags: readonly string[]];

/** Returns labels as entries have them. */
export const labelValues = ({ personId, endUser, tags }: SpendLabels): LabelValues => [
  personId,
  endUser,
  tags,
];

/** Returns the labels of an entry. */
export const labelsOfValues = ([personId, endUser, tags]: LabelValues): SpendLabels => ({
  personId,
  endUser,
  tags,
});
