import { expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { programs, read, sources, statements, tests } from '../test/support/source-files.ts';

const root = join(import.meta.dir, '..');

/** The wings in the order of the table in docs/architecture.md. A wing imports only wings below it. */
const wings = [...read('docs/architecture.md').matchAll(/^\| `([a-z]+)\/` \|/gm)].map(([, wing]) => wing!);

const wingOf = (path: string): string => /^src\/([a-z]+)\//.exec(path)?.[1] ?? '';
/** Returns the folder below the wing. */
const roomOf = (path: string): string => /^src\/([a-z-]+\/[a-z-]+)\//.exec(path)?.[1] ?? wingOf(path);

function importsOf(path: string): string[] {
  const found = read(path).matchAll(/(?:from|import) ?\(?'(\.{1,2}\/[^']+)'/g);
  return [...found].map(([, target]) => normalize(join(dirname(path), target!)));
}

/** Who imports whom, by a name that may stand for many files. */
function edgesBy(nameOf: (path: string) => string, paths: readonly string[]): Map<string, Set<string>> {
  const edges = new Map<string, Set<string>>();
  for (const path of paths) {
    const from = nameOf(path);
    const targets = edges.get(from) ?? new Set();
    for (const to of importsOf(path).map(nameOf)) if (to !== from) targets.add(to);
    edges.set(from, targets);
  }
  return edges;
}

/**
 * Returns the names that remain when all names are removed that import none of the rest, or
 * that none of the rest imports.
 */
function cyclesOf(edges: Map<string, Set<string>>): string[] {
  const left = new Map(edges);
  const isImported = (name: string) => [...left.values()].some((targets) => targets.has(name));
  for (let before = -1; before !== left.size; ) {
    before = left.size;
    for (const [name, targets] of left)
      if (![...targets].some((target) => left.has(target))) left.delete(name);
  }
  for (let before = -1; before !== left.size; ) {
    before = left.size;
    for (const name of [...left.keys()]) if (!isImported(name)) left.delete(name);
  }
  return [...left.keys()].sort();
}

test('a wing imports only wings below it', () => {
  expect(wings.length).toBeGreaterThan(8);
  const rank = (path: string) => wings.indexOf(wingOf(path));
  const faults = programs
    .filter((path) => path.startsWith('src/'))
    .flatMap((path) => {
      if (rank(path) < 0) return [`${path}: in no wing`];
      // The table begins with the highest.
      return importsOf(path)
        .filter((target) => target.startsWith('src/') && rank(target) < rank(path))
        .map((target) => `${path} → ${target}`);
    });
  expect(faults).toEqual([]);
});

test('the picture of wings has the edges that lead to every import, and no other', () => {
  const drawn = [...read('docs/pictures/wings.svg').matchAll(/<title>(\w+ → \w+)<\/title>/g)].map(
    ([, edge]) => edge!,
  );
  const ours = programs.filter((path) => path.startsWith('src/'));
  const edges = edgesBy(wingOf, ours);
  for (const targets of edges.values()) targets.delete('');
  expect(drawn.sort()).toEqual(edgesWithoutDetour(edges));
});

test('the picture of a request names rooms that exist', () => {
  const rooms = new Set(programs.map(roomOf));
  const named = [...read('docs/pictures/request.svg').matchAll(/class="name"[^>]*>([^<]*)</g)]
    .map(([, name]) => name!)
    .filter((name) => name !== 'client' && name !== 'provider');
  expect(named.length).toBeGreaterThan(10);
  const paths = named.map((name) => (name.includes('/') ? name : `inference/${name}`));
  expect(paths.filter((path) => !rooms.has(path))).toEqual([]);
});

/** The edges whose target cannot be reached over another one. The rest of the edges follows from them. */
function edgesWithoutDetour(edges: Map<string, Set<string>>): string[] {
  const reaches = (from: string, to: string): boolean =>
    [...(edges.get(from) ?? [])].some((next) => next === to || reaches(next, to));
  return [...edges]
    .flatMap(([from, targets]) =>
      [...targets]
        .filter((to) => ![...targets].some((next) => next !== to && reaches(next, to)))
        .map((to) => `${from} → ${to}`),
    )
    .sort();
}

test('the table of wings names every room, and no other', () => {
  const named = [...read('docs/architecture.md').matchAll(/^- `([a-z]+\/[a-z-]+)`: /gm)].map(
    ([, room]) => room!,
  );
  const rooms = new Set(sources.filter((path) => path.startsWith('src/')).map(roomOf));
  expect(named.sort()).toEqual([...rooms].filter((room) => room.includes('/')).sort());
});

test('each file that the architecture names exists', () => {
  const paths = [...sources, ...tests].map((path) => `/${path}`);
  const named = [...read('docs/architecture.md').matchAll(/`([\w./-]+\.tsx?)`/g)].map(([, name]) => name!);
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter((name) => !paths.some((path) => path.endsWith(`/${name}`)))).toEqual([]);
});

test('rooms do not import each other in a circle, and neither do files', () => {
  const ours = programs.filter((path) => path.startsWith('src/'));
  expect(cyclesOf(edgesBy(roomOf, ours))).toEqual([]);
  expect(cyclesOf(edgesBy((path) => path, [...sources, ...tests]))).toEqual([]);
});

/** Rooms whose files are tested elsewhere, and where. */
const TESTED_ELSEWHERE: Readonly<Record<string, string>> = {
  'api/count-tokens': 'test/inference/count-tokens.test.ts',
  'api/responses': 'test/inference/stored-responses.test.ts',
  'api/streams': 'test/api/resumable-streams.test.ts',
  'batches/stored': 'test/api/idempotency.test.ts',
  'console/claude-code': 'test/api/claude-code-sign-in.test.ts',
  'customers/budgets': 'test/money/budgets.test.ts',
  'inference/answer': 'test/inference/comparable-models.test.ts',
  'simulator/media': 'test/upstream/simulated-media.test.ts',
  'simulator/wires': 'src/simulator/serving/simulator.test.ts',
  'store/testing': 'src/store/conformance.test.ts',
  'translation/contract': 'test/translation/translation.test.ts',
};

test('every room has a test beside a file, or is tested in a named place', () => {
  const ours = sources.filter((path) => path.startsWith('src/'));
  const tested = new Set(ours.filter((path) => path.endsWith('.test.ts')).map(roomOf));
  const untested = [...new Set(ours.map(roomOf))].filter((room) => room.includes('/') && !tested.has(room));
  expect(untested.sort()).toEqual(Object.keys(TESTED_ELSEWHERE));
  expect(Object.values(TESTED_ELSEWHERE).filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test('requests leave through one of two clients: the one for upstreams, and `sendPlain`', () => {
  const calling = programs.filter(
    (path) => path.startsWith('src/') && /(?<![\w.])fetch\((?!request)/.test(read(path)),
  );
  expect(calling).toEqual(['src/base/lib/send-plain.ts', 'src/upstream/http-client/fetch-through-proxy.ts']);
});

test('no program loads the factories of TypeBox, which would slow down every start', () => {
  const loading = programs.filter((path) => /^import (?!type ).* from 'typebox';/m.test(read(path)));
  expect(loading).toEqual([]);
});

/** Checks that the pages and the server must make alike, and small values. */
const LOADED_BY_PAGES = [
  'src/base/lib/is-object.ts',
  'src/base/lib/is-own-page.ts',
  'src/base/lib/records.ts',
  'src/base/lib/units.ts',
];

test('the dashboard takes only types and small shared files from the server, and its features do not import each other', () => {
  const pages = programs.filter((path) => path.startsWith('dashboard/'));
  const featureOf = (path: string) => /^dashboard\/features\/([a-z-]+)\//.exec(path)?.[1];
  const faults = pages.flatMap((path) => [
    ...importsOf(path)
      .filter((to) => featureOf(path) && featureOf(to) && featureOf(path) !== featureOf(to))
      .map((to) => `${path} → ${to}`),
    ...[...read(path).matchAll(/^import (?!type )[^;]*?from '((?:\.\.\/)+src\/[^']+)';/gm)]
      .map(([, to]) => `${path} loads ${to}`)
      .filter((fault) => !LOADED_BY_PAGES.some((shared) => fault.endsWith(`../${shared}`))),
  ]);
  expect(pages.length).toBeGreaterThan(40);
  expect(faults).toEqual([]);
});

test('components and the frame know no feature, except for the table of pages', () => {
  const faults = programs.filter(
    (path) =>
      /^dashboard\/(app|components)\//.test(path) &&
      path !== 'dashboard/app/pages.ts' &&
      importsOf(path).some((to) => to.startsWith('dashboard/features/')),
  );
  expect(faults).toEqual([]);
});

test('only the program knows the stores', () => {
  const outside = programs.filter(
    (path) =>
      path.startsWith('src/') &&
      !['store', 'program'].includes(wingOf(path)) &&
      importsOf(path).some((to) => wingOf(to) === 'store'),
  );
  expect(outside).toEqual([]);
});

test('the notes of an exchange are read for logs, metrics and traces alone', () => {
  const readers = programs.filter((path) => {
    const text = read(path);
    if (
      /^src\/watch\/(observability|refusals|telemetry|traffic)\//.test(path) ||
      !/\/exchange(-notes)?\.ts'/.test(text)
    )
      return false;
    return /(?<!exchange-)\bnotes(?!\.\w+ = |: new ExchangeNotes|[,:} ])|= [\w.]*notes;/.test(text);
  });
  expect(readers).toEqual([]);
});

test('there are no barrels, and no word of what the project is not about', () => {
  expect(sources.filter((path) => /\/index\.ts$/.test(path))).toEqual([]);
  const marks = programs.filter((path) => /\b(TODO|FIXME|XXX|HACK)\b/.test(read(path)));
  expect(marks).toEqual([]);
});

test('statements that make a schema are in numbered or named files of their own, each with a comment at its head', () => {
  expect(statements.length).toBeGreaterThan(50);
  const misplaced = statements.filter(
    (path) => !/\/(migrations\/\d{3}-[a-z-]+|functions\/[a-z-]+)\.sql$/.test(path),
  );
  expect(misplaced).toEqual([]);
  expect(statements.filter((path) => !/^-- \S/.test(read(path)))).toEqual([]);
  const inStrings = programs.filter(
    (path) =>
      path.startsWith('src/store/') &&
      // The table of migrations comes before the first one.
      !/^src\/store\/(sqlite|postgres)\/migrate\.ts$/.test(path) &&
      /\b(CREATE (OR REPLACE )?(FUNCTION|TABLE|TYPE|TRIGGER|INDEX)|ALTER TABLE)\b/.test(read(path)),
  );
  expect(inStrings).toEqual([]);
});

test('no object or list is spread into another to share a line', () => {
  const spread = /^\s*\.\.\.\{|\{\.\.\.\{|^\s*\.\.\.\[[^[\]]*\](?:,|$)/m;
  expect([...sources, ...tests].filter((path) => spread.test(read(path)))).toEqual([]);
});
