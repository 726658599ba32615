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

test('a file of the dashboard with one export has its name', () => {
  const pages = programs.filter((path) => path.startsWith('dashboard/'));
  const faults = pages.flatMap((path) => {
    const names = [...read(path).matchAll(/^export (?:async )?(?:function|const|class|type) (\w+)/gm)];
    const [first, second] = names.map(([, name]) => kebabOf(name!));
    return first === undefined || second !== undefined || path.includes(`/${first}.ts`) ? [] : [path];
  });
  expect(faults).toEqual([]);
});

test('a file of the dashboard with one export has its name', () => {
  const pages = programs.filter((path) => path.startsWith('dashboard/'));
  const faults = pages.flatMap((path) => {
    const names = [...read(path).matchAll(/^export (?:async )?(?:function|const|class|type) (\w+)/gm)];
    const [first, second] = names.map(([, name]) => kebabOf(name!));
    return first === undefined || second !== undefined || path.includes(`/${first}.ts`) ? [] : [path];
  });
  expect(faults).toEqual([]);
});

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
