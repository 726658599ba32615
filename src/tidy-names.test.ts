import { expect, test } from 'bun:test';
import { programs, read, sources, tests } from '../test/support/source-files.ts';

test('no exported type name has two meanings', () => {
  const places = new Map<string, string[]>();
  for (const path of sources.filter((each) => each.startsWith('src/')))
    for (const [, name] of read(path).matchAll(/^export (?:abstract )?(?:type|interface|class) (\w+)/gm))
      places.set(name!, [...(places.get(name!) ?? []), path]);
  expect([...places].filter(([, paths]) => paths.length > 1)).toEqual([]);
});

const kebabOf = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase();

const exportsOf = (path: string): string[] => [
  ...new Set(
    [
      ...read(path).matchAll(
        /^export (?:async |abstract )?(?:function\*?|const|class|type|interface) (\w+)/gm,
      ),
    ].map(([, name]) => kebabOf(name!)),
  ),
];

test('the type of an unknown object has one definition', () => {
  const own = sources.filter((path) => /^(?:export )?type Fields = /m.test(read(path)));
  expect(own.filter((path) => !path.endsWith('.test.ts'))).toEqual(['src/base/schema/json-type.ts']);
});

test('a file of the dashboard with one export has its name', () => {
  const pages = programs.filter((path) => path.startsWith('dashboard/'));
  const faults = pages.filter((path) => {
    const [first, second] = exportsOf(path);
    return first !== undefined && second === undefined && !path.includes(`/${first}.ts`);
  });
  expect(faults).toEqual([]);
});

test('a file of the program with one export has words of its name', () => {
  // Commands have the name of the command. Migrations have a number.
  const ours = programs.filter((path) => /^src\/(?!.*(-commands?\.ts$|\/migrations\/))/.test(path));
  const faults = ours.filter((path) => {
    const [first, second] = exportsOf(path);
    if (first === undefined || second !== undefined) return false;
    const [file, exported] = [/([^/]+)\.tsx?$/.exec(path)![1]!, first].map(wordsOf);
    return (
      !file!.every((word) => exported!.includes(word)) && !exported!.every((word) => file!.includes(word))
    );
  });
  expect(faults).toEqual([]);
});

/** Returns the words of a name in the singular. */
const wordsOf = (name: string): string[] =>
  name.split('-').map((word) => word.replace(/ies$/, 'y').replace(/s$/, ''));

test('names of files are kebab-case', () => {
  expect([...sources, ...tests].filter((path) => !/^[a-z0-9/-]+(\.test|\.d)?\.tsx?$/.test(path))).toEqual([]);
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

test('the name of a constant that is a bound begins with MAX_ or MIN_', () => {
  const bound =
    /\bconst ((?:MOST|FEWEST|LEAST|LONGEST|SHORTEST|LARGEST|SMALLEST|HIGHEST|LOWEST|MAXIMUM|MINIMUM)(?:_[A-Z_]+)?)\b/g;
  const faults = [...sources, ...tests].flatMap((path) =>
    [...read(path).matchAll(bound)].map(([, name]) => `${path}: ${name}`),
  );
  expect(faults).toEqual([]);
});

test('the name of a type is a noun of its thing', () => {
  const blank =
    /^(?:export )?type (Asked|Asking|Wanted|Found|Used|Shown|Followed|Applied|Sent|Taken|Held|Given|Known|Named)\b/m;
  const faults = programs.filter((path) => blank.test(read(path)));
  expect(faults).toEqual([]);
});

test('the name of a callback is on and an event', () => {
  const faults = programs.filter((path) => /^ {2}(failed|changed)\??\((error|accountId)\b/m.test(read(path)));
  expect(faults).toEqual([]);
});
