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
  /** The number of rows of one transaction. The default is that of small rows. */
  rows?: number;
  /** A column of files of the data directory, which are replaced by their content. */
  files?: string;
};

/** Rows that have some hundred bytes. */
export const SMALL = 500;
/** Rows that can have megabytes. */
export const LARGE = 20;

/** Rows of a query that every slice runs as a whole. */
export const SUMMED = 20_000;

/** Maps columns to columns of the same name. */
export const same = (names: string): Record<string, string> =>
  Object.fromEntries(names.split(/\s+/).map((name) => [name, name]));

/** Binary data in the form that Postgres reads. */
export const binary = (column: string): string => `'\\x' || hex(${column})`;
