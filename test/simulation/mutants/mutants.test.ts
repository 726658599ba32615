import { expect, setDefaultTimeout, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isLong } from '../../support/is-long.ts';
import type { Mutant } from './mutant.ts';
import { mutants } from './mutants.ts';

setDefaultTimeout(isLong ? 7_200_000 : 60_000);

const ROOT = join(import.meta.dir, '../../..');

test('each planted fault has one place in the sources', () => {
  const places = mutants.map(({ name, change: { file, before } }) => ({
    name,
    count: readFileSync(join(ROOT, file), 'utf8').split(before).length - 1,
  }));
  expect(places.filter(({ count }) => count !== 1)).toEqual([]);
  expect(mutants.length).toBeGreaterThan(9);
});

/** Returns the source with the fault, without what the formatter decides. */
const plantedSource = ({ change: { file, before, after } }: Mutant): string => {
  const source = readFileSync(join(ROOT, file), 'utf8').replace(before, () => after);
  return `${file} ${source.replaceAll(/\s/g, '')}`;
};

test('each planted fault has a name and a change of its own', () => {
  for (const identityOf of [({ name }: Mutant) => name, plantedSource]) {
    const groups = Map.groupBy(mutants, identityOf).values();
    const repeated = [...groups].filter(({ length }) => length > 1);
    expect(repeated.map((group) => group.map(({ name }) => name))).toEqual([]);
  }
});

test.if(isLong)('simulated runs find each planted fault within 200 seeds', async () => {
  const program = join(import.meta.dir, 'find-mutants.ts');
  const child = Bun.spawn([process.execPath, program], { stdout: 'pipe', stderr: 'inherit' });
  expect((await child.stdout.text()).split('\n').filter((line) => line.startsWith('MISSED'))).toEqual([]);
  expect(await child.exited).toBe(0);
});
