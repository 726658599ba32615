import type { CatalogFile } from '../config/catalog-schema.ts';
import type { ConfigProblem } from '../config/config-problem.ts';
import type { Config } from '../config/config-schema.ts';

/** The contents of the configuration files with all defaults and overrides. Plain data that can be sent between threads. */
export type FileContents = {
  config: Config;
  defaultCatalog: CatalogFile | null;
  /** Settings that are valid but hardly meant. */
  warnings: ConfigProblem[];
};
