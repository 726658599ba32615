import type { CatalogFile } from '../config/catalog-schema.ts';
import type { Config } from '../config/config-schema.ts';

/** What the configuration's files say, with all defaults and overrides: plain data, which crosses threads. */
export type FileContents = { config: Config; defaultCatalog: CatalogFile | null };
