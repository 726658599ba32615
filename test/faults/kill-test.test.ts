import { expect, test } from 'bun:test';
import { seededRandom } from '../../src/base/lib/testing/seeded-random.ts';
import { fullTest } from '../support/full-test.ts';
import { isLong } from '../support/is-long.ts';
import { answerPoints } from './chat-upstream.ts';
import { crashPoints, type Mutant } from './fault.ts';
import { type KillPoint, runKillTest } from './run-kill-test.ts';

const SEED = 20_261_121;
const TIMEOUT_MS = 120_000;

/** Holds are written down, and so recovered, only in a server that runs for two seconds. */
const everyKillPoint: readonly KillPoint[] = [
  'late-at-random',
  ...crashPoints,
  'late-at-random',
  ...answerPoints,
  'at-random',
];
/** The kill points before, in and after each step of a charge, and one in the recovery. */
const mainKillPoints: readonly KillPoint[] = [
  'late-at-random',
  'in-recovery',
  'before-settlement',
  'after-commit',
  'after-usage',
];
const killPoints = isLong ? everyKillPoint : mainKillPoints;

test(
  'bills each reply that a client received completely exactly once, wherever the server is killed [ADM-15]',
  async () => {
    const kills = killPoints.length;
    const replies = isLong ? 300 : 80;
    const report = await runKillTest({ kills, replies, random: seededRandom(SEED), killPoints });
    expect(report).toMatchObject({ unbilled: [], billedWrong: [], contradictions: [] });
    // On a busy machine, a few servers are killed before they reach their point.
    expect(Object.keys(report.killsAt).length).toBeGreaterThan(new Set(killPoints).size / 2);
    expect(report.recovered).toBeGreaterThan(0);
  },
  TIMEOUT_MS,
);

/** The kill points at which each mistake shows. */
const mutants: { mutant: Mutant; killPoints: readonly KillPoint[]; shows: 'unbilled' | 'contradictions' }[] =
  [
    { mutant: 'settles-behind-the-end', killPoints: ['before-commit'], shows: 'unbilled' },
    { mutant: 'settles-50ms-later', killPoints: ['at-random'], shows: 'unbilled' },
    { mutant: 'recovers-twice', killPoints: ['late-at-random', 'in-recovery'], shows: 'contradictions' },
  ];

/** A kill before the client has the end of the reply shows no mistake. */
const ATTEMPTS = 4;

/** A full run has one, and a long run all. */
for (const { mutant, killPoints, shows } of isLong ? mutants : mutants.slice(0, 1)) {
  fullTest(
    `the kill test detects a server that ${mutant.replaceAll('-', ' ')}`,
    async () => {
      let shown: readonly unknown[] = [];
      for (let attempt = 0; attempt < ATTEMPTS && shown.length === 0; attempt++) {
        const random = seededRandom(SEED + attempt);
        shown = (await runKillTest({ kills: 2, replies: 1, random, mutant, killPoints }))[shows];
      }
      expect(shown).not.toEqual([]);
      if (mutant === 'recovers-twice') expect(shown.join()).toContain('billed twice');
    },
    TIMEOUT_MS,
  );
}
