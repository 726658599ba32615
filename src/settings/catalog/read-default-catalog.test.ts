import { expect, test } from 'bun:test';
import { readFile, writeFile } from 'node:fs/promises';
import { loadCatalogFile } from '../config/load-catalog-file.ts';
import { DEFAULT_CATALOG, formatDefaultCatalog, readDefaultCatalog } from './read-default-catalog.ts';

const copy = DEFAULT_CATALOG.replace(/yaml$/, 'json');

test('the copy of the default catalog that a start reads is up to date (UPDATE=1 npm test rewrites it)', async () => {
  const loaded = await loadCatalogFile(DEFAULT_CATALOG);
  if ('problems' in loaded) throw new Error(JSON.stringify(loaded.problems));
  const text = formatDefaultCatalog(loaded.catalog);
  if (process.env.UPDATE) await writeFile(copy, text);
  expect(await readFile(copy, 'utf8')).toBe(text);
  expect(readDefaultCatalog()).toEqual(loaded.catalog);
  expect(loaded.catalog.models.length).toBeGreaterThan(100);
});
