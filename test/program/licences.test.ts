import { expect, test } from 'bun:test';
import lock from '../../package-lock.json' with { type: 'json' };

/** Licences whose packages a release may contain: they ask for their text and nothing else. */
const ACCEPTED = new Set(['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT', 'MIT-0']);
/** Licences of packages that only tests use. No release contains them. */
const ACCEPTED_IN_TESTS = new Set([...ACCEPTED, 'AFL-2.1', 'MPL-2.0', 'Unlicense']);

type Entry = { license?: string; dev?: boolean };
const packages: Record<string, Entry> = lock.packages;
const entries = Object.entries(packages).filter(([path]) => path !== '');

/** A choice of licences needs one that is accepted. */
const isAccepted = (license = '', accepted: ReadonlySet<string>): boolean =>
  license
    .replace(/^\(|\)$/g, '')
    .split(' OR ')
    .some((name) => accepted.has(name));

test('every package of a release has an accepted licence', () => {
  const packages = entries.filter(([, { dev }]) => !dev);
  expect(packages.length).toBeGreaterThan(20);
  expect(packages.filter(([, { license }]) => !isAccepted(license, ACCEPTED))).toEqual([]);
});

test('every package for tests has an accepted licence', () => {
  expect(entries.filter(([, { license }]) => !isAccepted(license, ACCEPTED_IN_TESTS))).toEqual([]);
});

test('a missing licence, an unknown one, and two that both apply are not accepted', () => {
  for (const license of [undefined, 'GPL-3.0-only', 'MIT AND GPL-3.0-only'])
    expect(isAccepted(license, ACCEPTED)).toBe(false);
  expect(isAccepted('(MIT OR GPL-3.0-only)', ACCEPTED)).toBe(true);
});
