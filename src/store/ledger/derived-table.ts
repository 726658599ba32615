/** A table whose rows per account are derived from the account's entries. */
export type DerivedTable = {
  name: string;
  /** The key columns within an account, in the order of the primary key. */
  key: readonly string[];
  values: readonly string[];
  /** Some rows of zeros exist without an entry. */
  hasZeros?: boolean;
  /** A row whose values are all zero may also be missing. */
  omitsZeros?: boolean;
};

export const usageValues = [
  'requests',
  'input_tokens',
  'cached_input_tokens',
  'output_tokens',
  'microcredits',
] as const;
