/** A table whose rows per account are derived from the account's entries. */
export type DerivedTable = {
  name: string;
  /** The key columns within an account, in the order of the primary key. */
  key: readonly string[];
  values: readonly string[];
  /** The columns of the unique key. By default they are the account and the key within it. */
  uniqueKey?: readonly string[];
  /** True if rows of zeros can exist without an entry. */
  hasZeros?: boolean;
  /** True if a row whose values are all zero can be missing. */
  omitsZeros?: boolean;
};

export const usageValues = [
  'requests',
  'input_tokens',
  'cached_input_tokens',
  'output_tokens',
  'microcredits',
] as const;
