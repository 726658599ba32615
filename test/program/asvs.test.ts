import { expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dir, '..', '..');
const page = readFileSync(join(root, 'docs/security/asvs.md'), 'utf8');

/** The numbers of the levels 1 and 2 in ASVS 5.0.0: each section with its last number. */
const SECTIONS = {
  '1.1': 2,
  '1.2': 9,
  '1.3': 11,
  '1.4': 3,
  '1.5': 2,
  '2.1': 3,
  '2.2': 3,
  '2.3': 4,
  '2.4': 1,
  '3.2': 2,
  '3.3': 4,
  '3.4': 6,
  '3.5': 5,
  '3.7': 2,
  '4.1': 3,
  '4.2': 1,
  '4.3': 2,
  '4.4': 4,
  '5.1': 1,
  '5.2': 3,
  '5.3': 2,
  '5.4': 3,
  '6.1': 3,
  '6.2': 12,
  '6.3': 4,
  '6.4': 4,
  '6.5': 5,
  '6.6': 3,
  '6.8': 4,
  '7.1': 3,
  '7.2': 4,
  '7.3': 2,
  '7.4': 5,
  '7.5': 2,
  '7.6': 2,
  '8.1': 2,
  '8.2': 3,
  '8.3': 1,
  '8.4': 1,
  '9.1': 3,
  '9.2': 4,
  '10.1': 2,
  '10.2': 2,
  '10.3': 4,
  '10.4': 11,
  '10.5': 5,
  '10.6': 2,
  '10.7': 3,
  '11.1': 2,
  '11.2': 3,
  '11.3': 3,
  '11.4': 4,
  '11.5': 1,
  '11.6': 1,
  '12.1': 3,
  '12.2': 2,
  '12.3': 4,
  '13.1': 1,
  '13.2': 5,
  '13.3': 2,
  '13.4': 5,
  '14.1': 2,
  '14.2': 4,
  '14.3': 3,
  '15.1': 3,
  '15.2': 3,
  '15.3': 7,
  '16.1': 1,
  '16.2': 5,
  '16.3': 4,
  '16.4': 3,
  '16.5': 3,
  '17.1': 1,
  '17.2': 4,
  '17.3': 2,
} as const;

const STATES = ['met', 'met, untested', 'operator', 'not met', 'not applicable'];

const rows = [...page.matchAll(/^\| (\d+\.\d+\.\d+) \| ([^|]+) \| ([^|]+) \| (.+) \|$/gm)].map(
  ([, number, , state, evidence]) => ({ number: number!, state: state!, evidence: evidence! }),
);

test('the page about ASVS lists each requirement of the levels 1 and 2 once, in order', () => {
  const numbers = Object.entries(SECTIONS).flatMap(([section, last]) =>
    Array.from({ length: last }, (_, index) => `${section}.${index + 1}`),
  );
  expect(numbers).toHaveLength(253);
  expect(rows.map(({ number }) => number)).toEqual(numbers);
});

test('each row has a known state, and what is met has a test or a document', () => {
  for (const { number, state, evidence } of rows) {
    expect({ number, STATES }).toEqual({ number, STATES: expect.arrayContaining([state]) });
    if (state === 'met')
      expect({ number, evidence }).toEqual({ number, evidence: expect.stringMatching(/ts` "|\]\(/) });
    else expect([number, evidence.length > 10]).toEqual([number, true]);
  }
  for (const state of STATES)
    expect(page).toContain(` | ${rows.filter((row) => row.state === state).length} |\n`);
});

test('each test that the page names exists, with its title', () => {
  const named = rows.flatMap(({ number, evidence }) =>
    [...evidence.matchAll(/`((?:src|test)\/[\w./-]+\.ts)` "(.+?)"(?=[;.,]| \(|$)/g)].map(
      ([, path, title]) => ({ number, path: path!, title: title! }),
    ),
  );
  expect(named.length).toBeGreaterThan(150);
  expect(named.length).toBe(
    [
      ...rows
        .map(({ evidence }) => evidence)
        .join('\n')
        .matchAll(/\.ts` "/g),
    ].length,
  );
  const missing = named.filter(
    ({ path, title }) =>
      !existsSync(join(root, path)) || !readFileSync(join(root, path), 'utf8').includes(title),
  );
  expect(missing).toEqual([]);
});
