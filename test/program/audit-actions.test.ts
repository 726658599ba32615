import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dir, '..', '..');
const read = (...path: string[]): string => readFileSync(join(root, ...path), 'utf8');

test('docs/operations/administrators.md lists every action of the audit log once', () => {
  const declared = [...read('src', 'money', 'accounts', 'audit-action.ts').matchAll(/\| '([a-z-]+)'/g)];
  const [, section = ''] = read('docs', 'operations', 'administrators.md').split(
    '## Actions of the audit log',
  );
  const listed = section
    .split('\n## ')[0]!
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .flatMap((line) => [...line.matchAll(/`([a-z-]+)`/g)]);
  expect(declared.length).toBeGreaterThan(60);
  expect(listed.map(([, action]) => action).toSorted()).toEqual(
    declared.map(([, action]) => action).toSorted(),
  );
});
