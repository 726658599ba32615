import { expect, test } from 'bun:test';
import { seededRandom } from '../../src/base/lib/testing/seeded-random.ts';
import { fullTest } from '../support/full-test.ts';
import { isLong } from '../support/is-long.ts';
import { answerPoints } from './chat-upstream.ts';
import { crashPoints, type Mutant } from './fault.ts';
import { type Death, runKillTest } from './run-kill-test.ts';

const SEED = 20_261_121;
const TIMEOUT_MS = 120_000;

/** Holds are written down, and so recovered, only in a server that runs for two seconds. */
const everyDeath: readonly Death[] = [
  ...['late-at-random' as const, ...crashPoints],
  ...['late-at-random' as const, ...answerPoints, 'at-random' as const],
];
/** One death before, in and after each step of a charge, and one in the recovery. */
const mainDeaths: readonly Death[] = [
  ...(['late-at-random', 'in-recovery', 'before-settlement', 'after-commit', 'after-usage'] as const),
];
const deaths = isLong ? everyDeath : mainDeaths;

test(
  'bills each reply that a client received completely exactly once, wherever the server is killed [ADM-15]',
  async () => {
    const [kills, replies] = [deaths.length, isLong ? 300 : 80];
    const report = await runKillTest({ kills, replies, random: seededRandom(SEED), deaths });
    expect(report).toMatchObject({ unbilled: [], billedWrong: [], contradictions: [] });
    // On a busy machine, a few lives end before they come by their point.
    expect(Object.keys(report.killsAt).length).toBeGreaterThan(new Set(deaths).size / 2);
    expect(report.recovered).toBeGreaterThan(0);
  },
  TIMEOUT_MS,
);

/** The deaths at which each mistake shows. */
const mutants: { mutant: Mutant; deaths: readonly Death[]; shows: 'unbilled' | 'contradictions' }[] = [
  { mutant: 'settles-behind-the-end', deaths: ['before-commit'], shows: 'unbilled' },
  { mutant: 'settles-50ms-later', deaths: ['at-random'], shows: 'unbilled' },
  { mutant: 'recovers-twice', deaths: ['late-at-random', 'in-recovery'], shows: 'contradictions' },
];

/** A death may come before the client has the end of the reply, where no mistake shows. */
const ATTEMPTS = 4;

/** A full run has one, and a long run all. */
for (const { mutant, deaths, shows } of isLong ? mutants : mutants.slice(0, 1)) {
  fullTest(
    `the kill test detects a server that ${mutant.replaceAll('-', ' ')}`,
    async () => {
      let shown: readonly unknown[] = [];
      for (let attempt = 0; attempt < ATTEMPTS && shown.length === 0; attempt++) {
        const random = seededRandom(SEED + attempt);
        shown = (await runKillTest({ kills: 2, replies: 1, random, mutant, deaths }))[shows];
      }
      expect(shown).not.toEqual([]);
      if (mutant === 'recovers-twice') expect(shown.join()).toContain('billed twice');
    },
    TIMEOUT_MS,
  );
}
