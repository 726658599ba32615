import { expect, test } from 'bun:test';
import { filesOf, programs, read, sources, tests } from '../test/support/source-files.ts';

const testFiles = [...tests, ...sources.filter((path) => !programs.includes(path))];
const scripts = filesOf('scripts/**/*.mjs');

/** Files that make types of records from untyped entries. */
const UNTYPED_RECORDS: ReadonlySet<string> = new Set([
  'src/base/json/present.ts',
  'src/base/lib/records.ts',
  'src/settings/config/plan-schema.ts',
  'src/settings/plans/plan-figures.ts',
]);

/** Lists the lines of files that match a pattern. */
const linesWith = (pattern: RegExp, paths: readonly string[]): string[] =>
  paths.flatMap((path) =>
    read(path)
      .split('\n')
      .flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1}: ${line.trim()}`] : [])),
  );

test('units of time and of memory have one definition', () => {
  const own =
    /\bconst (MINUTE_MS|HOUR_MS|DAY_MS|MEGABYTE) =|\w_s(\(\))? \* 1_?000\b|\b(86_400_000|3_600_000)\b/;
  const ours = programs.filter(
    (path) => path.startsWith('src/') && path !== 'src/base/lib/units.ts' && !path.includes('/migrations/'),
  );
  expect(linesWith(own, ours)).toEqual([]);
});

test('the code of an unknown error is read by `codeOfError`', () => {
  const cast = /\bas (NodeJS\.ErrnoException|(Error & )?\{[^}]*\bcode\??: (string|unknown)\b)/;
  expect(linesWith(cast, [...programs, ...scripts])).toEqual([]);
});

test('the names and members of an object get their types from `base/lib/records.ts`', () => {
  const cast = /\bObject\.(keys|entries|fromEntries)\(.*\) as (?!const\b)/;
  const ours = programs.filter((path) => !UNTYPED_RECORDS.has(path));
  expect(linesWith(cast, ours)).toEqual([]);
});

test('a word from outside is looked up by `lookUp` of `base/lib/records.ts`', () => {
  // `constructor` and `toString` would find members of the prototype.
  const index =
    /\w\[(String|textOf|codeOfError)\(|\w\[[^\]]*\?\? ''\]|Object\.hasOwn\(([\w.#]+), (\w+)\) \? \2\[\3\]/;
  const ours = programs.filter((path) => path !== 'src/base/lib/records.ts');
  expect(linesWith(index, ours)).toEqual([]);
});

test('columns of rows are read by `store/row-columns.ts`', () => {
  const cast = /\brow!?\.\w+ as (string|number|boolean|Uint8Array)( \| null)?(?! *\[)\b|\brow\.\w+ as [A-Z]/;
  const ours = programs.filter((path) => path.startsWith('src/store/'));
  expect(linesWith(cast, ours)).toEqual([]);
});

test('a file imports each module in one statement', () => {
  const faults = [...sources, ...tests].filter((path) => {
    const modules = [...read(path).matchAll(/^import [^;]*? from '([^']+)';$/gm)].map(([, name]) => name!);
    return new Set(modules).size < modules.length;
  });
  expect(faults).toEqual([]);
});

test('a failure that is ignored has its reason beside it', () => {
  const ignored = /\.catch\(\(\) => \{\}\)|\bcatch \{\}/;
  const faults = [...programs, ...scripts].flatMap((path) => {
    const lines = read(path).split('\n');
    return lines.flatMap((line, index) => {
      // The reason is in the line, or above the statement, which can have several lines.
      const above = lines.slice(Math.max(0, index - 3), index + 1).some((each) => /\/\/|\*\//.test(each));
      return ignored.test(line) && !above ? [`${path}:${index + 1}: ${line.trim()}`] : [];
    });
  });
  expect(faults).toEqual([]);
});

test('tests wait by `waitFor`, which has a bound', () => {
  const unbounded = /\bwhile \((?!.*performance\.now\(\)).*\) await Bun\.sleep\(/;
  /** Parts of upstreams and of faults, which end with their process. */
  const endless = /\/(raw-upstream|scripted-upstream|inject-fault)\.ts$/;
  expect(
    linesWith(
      unbounded,
      testFiles.filter((path) => !endless.test(path)),
    ),
  ).toEqual([]);
});
