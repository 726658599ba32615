import type { CatalogFile } from '../config/catalog-schema.ts';
import type { ConfigProblem } from '../config/config-problem.ts';
import type { Config } from '../config/config-schema.ts';
import type { ManagedSettings } from '../config/read-managed-settings.ts';

/**
 * The contents of the configuration files with all defaults and overrides. Plain data that can be sent
 * between threads.
 */
export type FileContents = {
  config: Config;
  defaultCatalog: CatalogFile | null;
  managedSettings: readonly ManagedSettings[];
  /** Settings that are valid but probably unintended. */
  warnings: ConfigProblem[];
};
