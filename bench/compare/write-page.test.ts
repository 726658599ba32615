import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pictures } from './draw-picture.ts';
import { formatPage } from './format-page.ts';
import { sampleComparison } from './testing/sample-comparison.ts';
import { readResults, renderPage, writePage } from './write-page.ts';

const docs = join(import.meta.dir, '..', '..', 'docs');

test('the published page and its pictures are those of the published results', () => {
  const results = readResults(docs);
  expect(results?.isQuick ?? false).toBe(false);
  if (process.env.UPDATE) writePage(docs, results);
  for (const [path, text] of renderPage(results)) expect(readFileSync(join(docs, path), 'utf8')).toBe(text);
});

test('the page names the date, the machine and what was not measured', () => {
  const page = formatPage(sampleComparison);
  expect(page).toContain('Measured on 2026-01-02 on 2 cores of Test CPU');
  expect(page).toContain('- GoModel was not measured: no program is named.');
  expect(page).toContain('| Tollgate | 180 (180 to 180) | 9.0 (9.0 to 9.0) | 900 (900 to 900) |');
  expect(page).toContain('| Tollgate | – | 1,000 | 5,000 | 5,000 | 5,000 |');
  expect(page).toContain('| Tollgate | 80 | 120 | 100 |');
});

test('a page without a run has no figure and no picture', () => {
  const page = formatPage(null);
  expect(page).toContain('No run has been published yet.');
  expect(page).not.toContain('.svg');
  expect([...renderPage(null).keys()]).toEqual(['benchmarks.md']);
});

test('every picture of a run is drawn and shown', () => {
  const files = renderPage(sampleComparison);
  for (const name of Object.keys(pictures)) {
    expect(files.get(`benchmarks/${name}`)).toContain('Tollgate');
    expect(files.get('benchmarks.md')).toContain(`benchmarks/${name}`);
  }
});
