import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keysOf } from '../../src/base/lib/records.ts';
import { buildFigures } from './build-figures.ts';
import type { Comparison } from './comparison.ts';
import { drawPicture, pictures } from './draw-picture.ts';
import { formatPage } from './format-page.ts';

const resultsFile = (folder: string) => join(folder, 'benchmarks', 'results.json');

/** Reads the results of the last published run. Returns null if there is none. */
export function readResults(folder: string): Comparison | null {
  const file = resultsFile(folder);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
}

/** Returns every file of the page, by its path below the folder. */
export function renderPage(comparison: Comparison | null): Map<string, string> {
  const files = new Map([['benchmarks.md', formatPage(comparison)]]);
  if (comparison === null) return files;
  const figures = buildFigures(comparison).filter(({ system }) => system !== 'direct');
  for (const file of keysOf(pictures)) files.set(`benchmarks/${file}`, drawPicture(file, figures));
  return files;
}

/** Writes the page, its pictures and the results from which both can be written again. */
export function writePage(folder: string, comparison: Comparison | null): void {
  if (comparison !== null) {
    mkdirSync(join(folder, 'benchmarks'), { recursive: true });
    writeFileSync(resultsFile(folder), `${JSON.stringify(comparison, null, 1)}\n`);
  }
  for (const [path, text] of renderPage(comparison)) writeFileSync(join(folder, path), text);
}
