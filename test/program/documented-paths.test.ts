import { expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readDocuments } from '../support/documented-commands.ts';

const root = join(import.meta.dir, '..', '..');
/** The changelog keeps the names of its releases. */
const documents = readDocuments(root).filter(({ path }) => path !== 'CHANGELOG.md');

test('every repository file that a document names exists', () => {
  const missing = documents.flatMap(({ path, text }) =>
    [...text.matchAll(/`((?:src|test|bench|docs|scripts|bin)\/[\w./-]+)`/g)]
      .map(([, name]) => name!)
      .filter((name) => !existsSync(join(root, name)))
      .map((name) => `${path}: ${name}`),
  );
  expect(missing).toEqual([]);
});

test('every relative link of a document leads to a file', () => {
  const links = documents
    .filter(({ path }) => !path.startsWith('.github/')) // GitHub resolves those against an issue's address
    .flatMap(({ path, text }) =>
      [...text.matchAll(/\]\(([^)\s#]+)[^)]*\)/g)].map(([, to]) => ({ path, to: to! })),
    );
  expect(links.length).toBeGreaterThan(10);
  const dead = links.filter(
    ({ path, to }) => !/^[a-z]+:/.test(to) && !existsSync(join(root, dirname(path), to)),
  );
  expect(dead).toEqual([]);
});
