import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Glob } from 'bun';

const root = join(import.meta.dir, '../..');

/** Lists the files of the repository that match any of the patterns, by their paths from its root. */
export const filesOf = (...patterns: string[]): string[] =>
  [...new Set(patterns.flatMap((pattern) => [...new Glob(pattern).scanSync(root)]))].sort();

/** Returns the text of a file by its path from the root of the repository. */
export const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** The program, its dashboard and its benchmarks, with the tests next to their files. */
export const sources = filesOf('{src,bench,dashboard}/**/*.{ts,tsx}');
/** The tests that cross folders, and what they share. */
export const tests = filesOf('test/**/*.ts');
/** The sources without tests and their helpers. */
export const programs = sources.filter((path) => !/\.test\.tsx?$|\/testing\//.test(path));
/**
 * Files of statements. `src/store/schema-files.test.ts` compares their folders with the lists that load them.
 */
export const statements = filesOf('src/**/*.sql');
