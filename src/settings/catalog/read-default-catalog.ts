import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { CatalogFile } from '../config/catalog-schema.ts';

/** The default catalog as it is written by hand. Problems name places in this file. */
export const DEFAULT_CATALOG = fileURLToPath(new URL('./default-catalog.yaml', import.meta.url));

const CHECKED = new URL('./default-catalog.json', import.meta.url);

/**
 * Reads the default catalog from its checked copy with all defaults. A test compares the copy with the YAML
 * file, since parsing and checking YAML would take most of a start.
 */
export const readDefaultCatalog = (): CatalogFile => JSON.parse(readFileSync(CHECKED, 'utf8')) as CatalogFile;

/** Returns the text of the checked copy, with one row per line. */
export function formatDefaultCatalog({ models, ...sections }: CatalogFile): string {
  const rows = models.map((row) => JSON.stringify(row)).join(',\n');
  return `{"models":[\n${rows}\n],\n${JSON.stringify(sections).slice(1)}\n`;
}
