import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Glob } from 'bun';

const root = join(import.meta.dir, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const filesOf = (pattern: string) => [...new Glob(pattern).scanSync(root)].sort();

/** A list in brackets, as test titles have it. `G5` is one of the promises in docs/guarantees.md. */
const BRACKETS = /\[((?:(?:[A-Z]{3}-\d+|G\d)[, ]*)+)\]/g;
const ID = /[A-Z]{3}-\d+/g;

type Clause = { id: string; file: string; isMarked: boolean };

const pages = filesOf('docs/specification/*.md');
const areas = pages.filter((file) => basename(file) !== 'README.md');
const clauses = areas.flatMap((file) =>
  [...read(file).matchAll(/^- \*\*([A-Z]{3}-\d+)\*\* (\*(?:Planned|Withdrawn)\.\*)?/gm)].map(
    ([, id, mark]): Clause => ({ id: id!, file, isMarked: mark !== undefined }),
  ),
);
const ids = new Set(clauses.map(({ id }) => id));
const prefixes = new Set(clauses.map(({ id }) => id.slice(0, 3)));

/** All of `src/` is read, because conformance suites are test code without `.test` in their names. */
const named = filesOf('{src,test}/**/*.ts').flatMap((file) =>
  [...read(file).matchAll(BRACKETS)]
    .flatMap(([, inside]) => inside!.match(ID) ?? [])
    .map((id) => ({ id, file })),
);
const proven = new Set(named.map(({ id }) => id));

test('each clause has an id of its own, and the ids of an area are in one file and have no gap', () => {
  expect(clauses.length).toBeGreaterThan(600);
  for (const prefix of prefixes) {
    const own = clauses.filter(({ id }) => id.startsWith(prefix));
    expect({ prefix, count: new Set(own.map(({ file }) => file)).size }).toEqual({ prefix, count: 1 });
    expect(own.map(({ id }) => id).sort()).toEqual(
      own.map((_, index) => `${prefix}-${String(index + 1).padStart(2, '0')}`),
    );
  }
});

test('each list item that begins in bold is a clause, and the README lists each area with its ids', () => {
  const strangers = areas.flatMap((file) =>
    read(file)
      .split('\n')
      .filter((line) => line.startsWith('- **') && !/^- \*\*[A-Z]{3}-\d+\*\* ./.test(line)),
  );
  expect(strangers).toEqual([]);
  const rows = [...read('docs/specification/README.md').matchAll(/^\| ([A-Z]{3}) \| \[.+?\]\((.+?)\) \|/gm)];
  const listed = rows.map(([, prefix, file]) => `${prefix} ${file}`).sort();
  expect(listed).toEqual(
    [...new Set(clauses.map(({ id, file }) => `${id.slice(0, 3)} ${basename(file)}`))].sort(),
  );
});

test('every clause that a test names exists', () => {
  const unknown = named.filter(({ id }) => !ids.has(id)).map(({ id, file }) => `${id} in ${file}`);
  expect(unknown).toEqual([]);
});

test('every clause is named by a test, except those marked as planned or withdrawn', () => {
  const unproven = clauses.filter(({ id, isMarked }) => !isMarked && !proven.has(id)).map(({ id }) => id);
  const wronglyMarked = clauses.filter(({ id, isMarked }) => isMarked && proven.has(id)).map(({ id }) => id);
  expect({ unproven, wronglyMarked }).toEqual({ unproven: [], wronglyMarked: [] });
});

test('references to clauses lead to the pages that have them', () => {
  const places = new Map(clauses.map(({ id, file }) => [id, basename(file)]));
  const references = pages.flatMap((file) => [...read(file).matchAll(/\[([A-Z]{3}-\d+)\]\(([^)]+)\)/g)]);
  expect(references.length).toBeGreaterThan(30);
  const astray = references.filter(([, id, target]) => places.get(id!) !== target).map(([whole]) => whole);
  expect(astray).toEqual([]);
});
