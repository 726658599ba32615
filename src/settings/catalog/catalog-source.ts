import type { CatalogFile } from '../config/catalog-schema.ts';
import type { PriceRow } from '../config/price-schema.ts';

export type CatalogProblem = { path: (string | number)[]; message: string };
export type ReportProblem = (problem: CatalogProblem) => void;

/** The part of the catalog from one file. It reports its own problems, since it knows lines and columns. */
export type CatalogSource = {
  file: CatalogFile;
  /** True if this is the default catalog for the built-in providers, not the operator's. */
  isDefault: boolean;
  /** Prices that replace those of rows, even of other sources. */
  prices?: Readonly<Record<string, PriceRow>>;
  /** The rows that operators have stored. Their problems are reported and do not prevent the catalog. */
  stored?: readonly StoredTraits[];
  report: ReportProblem;
};

/** The facts about a stored row, at the same index. */
export type StoredTraits = {
  /** True if the row changes a row of the default catalog. */
  isDefault: boolean;
  isHidden: boolean;
  /** True if the row has prices of its own. `prices` of a file do not replace them. */
  hasPrices: boolean;
};
