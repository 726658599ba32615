import { expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { Glob } from 'bun';

const root = join(import.meta.dir, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const sources = [...new Glob('{src,bench,dashboard}/**/*.{ts,tsx}').scanSync(root)].sort();
const tests = [...new Glob('test/**/*.ts').scanSync(root)].sort();
const programs = sources.filter((path) => !/\.test\.tsx?$|\/testing\//.test(path));

const MAX_FILE_LINES = 400;
const MAX_LINE_LENGTH = 140;
const MAX_FUNCTION_LINES = 70;

/** Files of statements. `src/store/schema-files.test.ts` compares their folders with the lists that load them. */
const statements = [...new Glob('src/**/*.sql').scanSync(root)].sort();

/** Functions in SQL that take less CPU time in one piece, as docs/architecture.md says. */
const LONG_SQL_FUNCTIONS = ['gate', 'post_entries'];

/** The wings in the order of the table in docs/architecture.md. A wing imports only wings below it. */
const wings = [...read('docs/architecture.md').matchAll(/^\| `([a-z]+)\/` \|/gm)].map(([, wing]) => wing!);

const wingOf = (path: string): string => /^src\/([a-z]+)\//.exec(path)?.[1] ?? '';
/** The folder below the wing. */
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

/** What is left when everything is taken away that imports nothing of the rest, or that nothing of the rest imports. */
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

test('rooms do not import each other in a circle, and neither do files', () => {
  const ours = programs.filter((path) => path.startsWith('src/'));
  expect(cyclesOf(edgesBy(roomOf, ours))).toEqual([]);
  expect(cyclesOf(edgesBy((path) => path, [...sources, ...tests]))).toEqual([]);
});

test('no exported type name has two meanings', () => {
  const places = new Map<string, string[]>();
  for (const path of sources.filter((each) => each.startsWith('src/')))
    for (const [, name] of read(path).matchAll(/^export (?:abstract )?(?:type|interface|class) (\w+)/gm))
      places.set(name!, [...(places.get(name!) ?? []), path]);
  expect([...places].filter(([, paths]) => paths.length > 1)).toEqual([]);
});

/** Rooms whose files are tested elsewhere, and where. */
const TESTED_ELSEWHERE: Readonly<Record<string, string>> = {
  'api/conversations': 'test/api/conversations.test.ts',
  'api/count-tokens': 'test/inference/count-tokens.test.ts',
  'api/responses': 'test/inference/stored-responses.test.ts',
  'api/streams': 'test/api/resumable-streams.test.ts',
  'batches/stored': 'test/api/idempotency.test.ts',
  'console/claude-code': 'test/api/claude-code-sign-in.test.ts',
  'customers/budgets': 'test/money/budgets.test.ts',
  'inference/admission': 'test/api/catalog-access.test.ts',
  'inference/answer': 'test/inference/comparable-models.test.ts',
  'inference/background': 'test/api/background-responses.test.ts',
  'inference/conversation': 'test/inference/stored-responses.test.ts',
  'inference/socket': 'test/api/responses-socket.test.ts',
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

/** Checks that the pages and the server must make alike. */
const LOADED_BY_PAGES = ['src/base/lib/is-own-page.ts'];

test('the dashboard takes only types and shared checks from the server, and its features do not import each other', () => {
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
      !text.includes("/exchange.ts'")
    )
      return false;
    return /\bnotes(?!\.\w+ = |: new ExchangeNotes|[,:} ])|= [\w.]*notes;/.test(text);
  });
  expect(readers).toEqual([]);
});

test('files, lines and functions stay within their sizes', () => {
  const faults = [...sources, ...tests].flatMap((path) => {
    const lines = read(path).trimEnd().split('\n');
    const long = lines.findIndex(
      (line) => line.length > MAX_LINE_LENGTH && !/https?:\/\/|['"`].{100}/.test(line),
    );
    return [
      ...(lines.length > MAX_FILE_LINES ? [`${path}: ${lines.length} lines`] : []),
      ...(long >= 0 && !path.startsWith('test/')
        ? [`${path}:${long + 1}: ${lines[long]!.length} characters`]
        : []),
      ...(/\.test\.tsx?$/.test(path) || path.startsWith('test/') ? [] : longFunctions(path, lines)),
    ];
  });
  expect(faults).toEqual([]);
});

/** A function of ours begins at a line that opens a block or a list of parameters. */
const FUNCTION_HEAD =
  /^( *)(?:export )?(?:default )?(?:(?:async|static|readonly|get|set) )*(?:function\b|#?\w+(?:<.*>)?\().*[{(]$/;

/** A function ends at the brace with the indentation of its head, and so do its parameters: the formatter sees to that. */
function longFunctions(path: string, lines: readonly string[]): string[] {
  return lines.flatMap((line, start) => {
    const head = FUNCTION_HEAD.exec(line);
    if (!head || /^ *(if|for|while|switch|describe|test)\b/.test(line)) return [];
    const indent = head[1]!;
    const opening = line.endsWith('(')
      ? lines.findIndex((later, index) => index > start && later.startsWith(`${indent})`))
      : start;
    if (!/\).*\{$/.test(lines[opening] ?? '')) return [];
    const end = lines.findIndex((later, index) => index > opening && later.startsWith(`${indent}}`));
    return end - start > MAX_FUNCTION_LINES
      ? [`${path}:${start + 1}: a function of ${end - start} lines`]
      : [];
  });
}

test('the size of a function counts from its head, even if its parameters have lines of their own', () => {
  const body = Array<string>(MAX_FUNCTION_LINES).fill('  work();');
  const short = ['function work() {', ...body.slice(2), '}'];
  expect(longFunctions('a.ts', short)).toEqual([]);
  expect(
    longFunctions('a.ts', ['async function work(', '  one: One,', '): Promise<void> {', ...body, '}']),
  ).toEqual(['a.ts:1: a function of 73 lines']);
});

test('there are no barrels, and no word of what the project is not about', () => {
  expect(sources.filter((path) => /\/index\.ts$/.test(path))).toEqual([]);
  const marks = programs.filter((path) => /\b(TODO|FIXME|XXX|HACK)\b/.test(read(path)));
  expect(marks).toEqual([]);
});

const kebabOf = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase();

test('a file of the dashboard with one export has its name', () => {
  const pages = programs.filter((path) => path.startsWith('dashboard/'));
  const faults = pages.flatMap((path) => {
    const names = [...read(path).matchAll(/^export (?:async )?(?:function|const|class|type) (\w+)/gm)];
    const [first, second] = names.map(([, name]) => kebabOf(name!));
    return first === undefined || second !== undefined || path.includes(`/${first}.ts`) ? [] : [path];
  });
  expect(faults).toEqual([]);
});

/** Forms of doc comments that have one form in the house: `Reports whether …`, `True if …`, `Undefined if …`, "`null` means …". */
const REPLACED_COMMENT =
  /\/\*\* *(?:\n *\* )?Whether |\bReturns whether |^ *(?:\/\*\*|\*|\/\/).*[ ;(]`?(?:null|undefined)`?: /im;

test('doc comments say "Reports whether", "True if", and what null and undefined mean, in one form each', () => {
  expect([...sources, ...tests].filter((path) => REPLACED_COMMENT.test(read(path)))).toEqual([]);
});

test('names of files are kebab-case', () => {
  expect([...sources, ...tests].filter((path) => !/^[a-z0-9/-]+(\.test|\.d)?\.tsx?$/.test(path))).toEqual([]);
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

/** A constant in camel case whose text is a whole statement. */
const STATEMENT =
  /^(?:export )?const ([a-z]\w*)(?:: [^=]+)? =\s*[`']\s*(?:WITH|SELECT|INSERT|UPDATE|DELETE)\b/gm;

test('the name of a constant that is a statement ends with Sql', () => {
  const faults = sources.flatMap((path) =>
    [...read(path).matchAll(STATEMENT)]
      .filter(([, name]) => !name!.endsWith('Sql'))
      .map(([, name]) => `${path}: ${name}`),
  );
  expect(faults).toEqual([]);
});

test('no object is spread into another to share a line', () => {
  const faults = [...sources, ...tests].filter((path) => /^\s*\.\.\.\{ ?[\w'"]/m.test(read(path)));
  expect(faults).toEqual([]);
});

test('the name of a constant that is a bound begins with MAX_ or MIN_', () => {
  const bound =
    /\bconst ((?:MOST|FEWEST|LEAST|LONGEST|SHORTEST|LARGEST|SMALLEST|HIGHEST|LOWEST|MAXIMUM|MINIMUM)(?:_[A-Z_]+)?)\b/g;
  const faults = [...sources, ...tests].flatMap((path) =>
    [...read(path).matchAll(bound)].map(([, name]) => `${path}: ${name}`),
  );
  expect(faults).toEqual([]);
});

test('lines and functions in SQL stay within their sizes, and each function has a comment', () => {
  const faults = statements.flatMap((path) => {
    const lines = read(path).split('\n');
    const long = lines.filter((line) => line.length > MAX_LINE_LENGTH);
    return [...long.map((line) => `${path}: ${line}`), ...sqlFunctionFaults(path, lines)];
  });
  expect(faults).toEqual([]);
});

/** A function in SQL ends at the first line `$$;`. */
function sqlFunctionFaults(path: string, lines: readonly string[]): string[] {
  return lines.flatMap((line, start) => {
    const name = /^CREATE (?:OR REPLACE )?FUNCTION (\w+)/.exec(line)?.[1];
    if (name === undefined) return [];
    const length = lines.indexOf('$$;', start) - start + 1;
    const isLong = length > MAX_FUNCTION_LINES && !LONG_SQL_FUNCTIONS.includes(name);
    return [
      ...(isLong ? [`${path}: the function ${name} has ${length} lines`] : []),
      ...(lines[start - 1]?.startsWith('-- ') ? [] : [`${path}: the function ${name} has no comment`]),
    ];
  });
}
