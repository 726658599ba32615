import { expect, test } from 'bun:test';
import { seededRandom } from '../../src/base/lib/testing/seeded-random.ts';
import { crashPoints, type Mutant } from './fault.ts';
import { answerPoints } from './faulty-upstream.ts';
import { type Death, runKillTest } from './run-kill-test.ts';

const SEED = 20_261_121;
const TIMEOUT_MS = 120_000;

/** Holds are only written down, and so recovered, in a life that lasts. */
const everyDeath: readonly Death[] = [
  ...['late-at-random' as const, ...crashPoints],
  ...['late-at-random' as const, ...answerPoints, 'at-random' as const],
];

test(
  'a server that is killed anywhere bills each reply that was seen to its end once, and nothing twice [ADM-15]',
  async () => {
    const kills = everyDeath.length;
    const report = await runKillTest({ kills, replies: 300, random: seededRandom(SEED), deaths: everyDeath });
    expect(report).toMatchObject({ unbilled: [], billedWrong: [], contradictions: [] });
    expect(Object.keys(report.killsAt).sort()).toEqual([...new Set(everyDeath)].sort());
    expect(report.recovered).toBeGreaterThan(0);
  },
  TIMEOUT_MS,
);

/** Where each mistake shows. */
const caught: { mutant: Mutant; deaths: readonly Death[]; shows: 'unbilled' | 'contradictions' }[] = [
  { mutant: 'settles-behind-the-end', deaths: ['before-commit'], shows: 'unbilled' },
  { mutant: 'settles-50ms-later', deaths: ['at-random'], shows: 'unbilled' },
  { mutant: 'recovers-twice', deaths: ['late-at-random', 'in-recovery'], shows: 'contradictions' },
];

for (const { mutant, deaths, shows } of caught) {
  test(
    `the kill test notices a server that ${mutant.replaceAll('-', ' ')}`,
    async () => {
      const report = await runKillTest({ kills: 2, replies: 1, random: seededRandom(SEED), mutant, deaths });
      expect(report[shows]).not.toEqual([]);
      if (mutant === 'recovers-twice') expect(report[shows].join()).toContain('billed twice');
    },
    TIMEOUT_MS,
  );
}
