import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Glob } from 'bun';
import packageFile from '../../package.json' with { type: 'json' };
import lock from '../../package-lock.json' with { type: 'json' };

type LockedPackage = { version?: string; resolved?: string; optionalDependencies?: Record<string, string> };

const root = join(import.meta.dir, '..', '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const locked: Readonly<Record<string, LockedPackage>> = lock.packages;

test('package.json is the only place with the version', () => {
  expect(packageFile.version).toMatch(/^\d+\.\d+\.\d+$/);
  expect({ lock: lock.version, locked: locked['']?.version }).toEqual({
    lock: packageFile.version,
    locked: packageFile.version,
  });
  const copies = [...new Glob('{src,bench,scripts,bin}/**/*').scanSync(root)]
    .filter((path) => !path.endsWith('.yaml'))
    .filter((path) =>
      new RegExp(`(?<![\\d.])${packageFile.version.replaceAll('.', '\\.')}(?![\\d.])`).test(read(path)),
    );
  expect(copies).toEqual([]);
});

test('the changelog has unreleased changes first, then the version of package.json', () => {
  const headings = [...read('CHANGELOG.md').matchAll(/^## \[(.+?)\](.*)$/gm)];
  expect(headings.slice(0, 2).map(([, version]) => version)).toEqual(['Unreleased', packageFile.version]);
  for (const [, , date] of headings.slice(1)) expect(date).toMatch(/^ - \d{4}-\d{2}-\d{2}$/);
});

test('each version of the changelog has its groups in one order, breaking changes first, and no line twice', () => {
  const order = ['Breaking', 'Added', 'Changed', 'Fixed', 'Security'];
  for (const version of read('CHANGELOG.md').split(/^## /m).slice(1)) {
    const groups = [...version.matchAll(/^### (.*)$/gm)].map(([, group]) => group!);
    expect(groups).toEqual(order.filter((group) => groups.includes(group)));
    const lines = [...version.matchAll(/^- .*(?:\n {2}.*)*/gm)].map(([line]) => line);
    expect(lines.filter((line, index) => lines.indexOf(line) !== index)).toEqual([]);
  }
});

test('the lock file has every package of every platform, as npm ci requires', () => {
  const missing = Object.entries(locked).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.entries(optionalDependencies)
      .filter(([name, range]) => !Bun.semver.satisfies(locked[`node_modules/${name}`]?.version ?? '', range))
      .map(([name]) => `${path}: ${name}`),
  );
  expect(missing).toEqual([]);
});

test('the lock file names no registry, so npm uses the configured one', () => {
  expect(Object.values(locked).filter(({ resolved }) => resolved !== undefined)).toEqual([]);
});
