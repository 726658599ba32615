/** A table that is moved: a query of the embedded store, and the columns that it fills in Postgres. */
export type MovedTable = {
  /** The table in Postgres. */
  name: string;
  /** The table, or a query in brackets, of the embedded store. The default is the table of the same name. */
  from?: string;
  /** The columns of `from` that order its rows. They are unique together. */
  keys: readonly string[];
  /** Each column in Postgres, with its expression in the embedded store. */
  columns: Readonly<Record<string, string>>;
  /** The number of rows of one transaction. The default is `SMALL_SLICE`. */
  rows?: number;
  /** A column of files of the data directory, which are replaced by their content. */
  files?: string;
};

/** The rows of one transaction, if a row has some hundred bytes. */
export const SMALL_SLICE = 500;
/** The rows of one transaction, if a row can have megabytes. */
export const LARGE_SLICE = 20;
/** The rows of one transaction, if each slice runs a query over the whole table. */
export const SUMMED_SLICE = 20_000;

/** Maps columns to columns of the same name. */
export const sameColumns = (names: string): Record<string, string> =>
  Object.fromEntries(names.split(/\s+/).map((name) => [name, name]));

/** Returns the expression for binary data in the form that Postgres reads. */
export const hexOf = (column: string): string => `'\\x' || hex(${column})`;
