import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Glob } from 'bun';

const root = join(import.meta.dir, '..', '..');
const read = (pattern: string) =>
  [...new Glob(pattern).scanSync(root)]
    .filter(
      (path) => !path.includes('.test.') && !path.includes('/testing/') && !path.includes('node_modules'),
    )
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

const sources = read('src/**/*.{ts,js}');
const pages = read('dashboard/**/*.{ts,tsx}');
const withA = (files: typeof sources, pattern: RegExp): string[] =>
  files
    .filter(({ text }) => pattern.test(text))
    .map(({ path }) => path)
    .sort();

test('there are sources and pages to search', () => {
  expect(sources.length).toBeGreaterThan(1_000);
  expect(pages.length).toBeGreaterThan(100);
});

test('no source runs text as code', () => {
  expect(withA([...sources, ...pages], /\beval\(|\bnew Function\(|node:vm\b/)).toEqual([]);
});

test('no source starts a shell, and one starts processes', () => {
  expect(
    withA(sources, /\bexec(?:File)?Sync\(|shell: true|Bun\.\$|import \{[^}]*\$[^}]*\} from 'bun'/),
  ).toEqual([]);
  expect(withA(sources, /child_process|Bun\.spawn/)).toEqual(['src/program/workers/worker-process.ts']);
});

test('the sources use no unmanaged memory, except for calls of the kernel', () => {
  expect(withA(sources, /bun:ffi/)).toEqual([
    'src/base/lib/c-library.ts',
    'src/edge/connections/kernel-sockets.ts',
    'src/edge/connections/turn-away.ts',
    'src/upstream/http-client/receive-buffer.ts',
  ]);
});

test('pages show text as text, and receive no messages of other windows', () => {
  expect(
    withA(pages, /dangerouslySetInnerHTML|\.(?:inner|outer)HTML\b|insertAdjacentHTML|document\.write\(/),
  ).toEqual([]);
  expect(withA(pages, /postMessage|addEventListener\('message'|document\.cookie/)).toEqual([]);
});

test('MD5 and SHA-1 are named in one file, for databases that ask for MD5', () => {
  expect(withA(sources, /(['"`])(?:md5|sha1|sha-1)\1/i)).toEqual([
    'src/store/postgres/connection/open-connection.ts',
  ]);
});
