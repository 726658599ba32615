import { expect, test } from 'bun:test';
import { waitFor } from '../../../test/support/wait-for.ts';
import { partial } from '../../base/lib/testing/partial.ts';
import { MemoryBudget } from '../../base/memory/memory-budget.ts';
import { lookHere } from './look-at-log.ts';
import { Recording } from './recording.ts';
import { RecordingSpace } from './recording-space.ts';
import type { RecordingStore } from './recording-store.ts';

const KB = 1_024;

function record(budgetBytes: number, failures?: unknown[]) {
  const sizes = {
    totalBytes: budgetBytes,
    overdrawnBytes: budgetBytes,
    largeBytes: budgetBytes,
    waitingBytes: budgetBytes,
  };
  const budget = new MemoryBudget({ sizes, timeoutMs: 1_000, residentBytes: () => 0, collect: () => {} });
  const written: string[] = [];
  let removed = 0;
  /** The store answers each write when it is released. */
  const releases: ((failure?: Error | 'gone') => void)[] = [];
  const store = partial<RecordingStore>({
    write: (_held, { parts }) =>
      new Promise<boolean>((resolve, reject) => {
        releases.push((failure) => {
          if (failure instanceof Error) return reject(failure);
          if (failure) return resolve(false);
          written.push(...parts.map(({ text }) => text));
          resolve(true);
        });
      }),
    remove: async () => void removed++,
  });
  const recording = new Recording({
    requestId: 'req_1',
    isResumable: true,
    idPrefix: undefined,
    store,
    holder: 'h',
    clock: { now: () => 0 },
    isShared: false,
    graceMs: 1_000,
    replaysMs: undefined,
    streamsMs: 1_000,
    room: new RecordingSpace({ trim: async () => {} }).roomFor({
      accountId: 'a',
      isResumable: true,
      limits: { replay_mb: 8, stream_log_mb: 1 },
    }),
    openMemory: () => budget.open('a'),
    onUnwritten: () => {},
    onFailure: (error) => {
      if (!failures) throw error;
      failures.push(error);
    },
  });
  recording.join();
  return { budget, recording, releases, written, removed: () => removed };
}

const frame = (text: string) => `data: ${text}\n\n`;
const piece = frame('x'.repeat(100 * KB));

test('frames are booked until the store has them', async () => {
  const { budget, recording, releases, written } = record(2_048 * KB);
  for (let count = 0; count < 3; count++) expect(recording.take(piece)).toBe(piece);
  expect(budget.usedBytes).toBe(3 * piece.length);
  expect(releases).toHaveLength(0); // the write has yet to begin
  await Bun.sleep(0);
  for (const release of releases.splice(0)) release();
  await waitFor(() => budget.usedBytes === 0);
  expect({ written: written.join(''), usedBytes: budget.usedBytes }).toEqual({
    written: piece.repeat(3),
    usedBytes: 0,
  });
  recording.take(piece);
  const ending = recording.end();
  await Bun.sleep(0);
  for (const release of releases) release();
  await ending;
  expect(budget.usedBytes).toBe(0);
});

test('a stream whose log does not fit into memory loses only its log', async () => {
  const { budget, recording, removed } = record(350 * KB);
  for (let count = 0; count < 20; count++) expect(recording.take(piece)).toBe(piece);
  expect({ isLost: recording.log.isLost, usedBytes: budget.usedBytes }).toEqual({
    isLost: true,
    usedBytes: 0,
  });
  await recording.keepStream(frame('last'));
  expect(recording.take(frame('last'))).toBe(frame('last'));
  expect(recording.patience.aborted).toBe(false);
  await recording.end();
  expect(removed()).toBe(1);
  expect(budget.usedBytes).toBe(0);
});

test('a log that is lost while its frames are written gives its memory back once', async () => {
  const { budget, recording, releases, removed } = record(350 * KB);
  recording.take(piece);
  await waitFor(() => releases.length === 1);
  for (let count = 0; count < 4; count++) recording.take(piece);
  expect({ isLost: recording.log.isLost, usedBytes: budget.usedBytes }).toEqual({
    isLost: true,
    usedBytes: 0,
  });
  releases[0]!();
  await waitFor(() => removed() === 1);
  expect({ usedBytes: budget.usedBytes, parts: recording.log.sight.parts }).toEqual({
    usedBytes: 0,
    parts: 0,
  });
});

test('readers see the end of a stream only after its charge', async () => {
  const { recording, releases } = record(2_048 * KB);
  const releaseAll = () => {
    for (const release of releases.splice(0)) release();
  };
  recording.log.follow();
  recording.take(frame('one'));
  recording.log.follow();
  await waitFor(() => releases.length === 1);
  releaseAll();
  await waitFor(() => recording.log.sight.parts === 1);
  const keeping = recording.keepStream(frame('last'));
  await waitFor(() => releases.length === 1);
  releaseAll();
  await keeping;
  expect(recording.log.sight.parts).toBe(1);
  expect(recording.take(frame('last'))).toBe(frame('last'));
  expect(recording.log.sight.parts).toBe(2);
});

test('readers of a broken stream get an error even if the store cannot take its end', async () => {
  const failures: unknown[] = [];
  const { recording, releases } = record(2_048 * KB, failures);
  recording.take(piece);
  recording.giveUp();
  const ending = recording.end();
  await Bun.sleep(0);
  const full = new Error('The disk is full.');
  for (const release of releases) release(full);
  await ending;
  expect((await lookHere(recording)()).state).toBe('lost');
  expect(failures).toEqual([full]);
});

test('readers of a broken stream get an error if the store has lost the answer', async () => {
  const { recording, releases } = record(2_048 * KB);
  recording.take(piece);
  recording.giveUp();
  const ending = recording.end();
  await Bun.sleep(0);
  for (const release of releases) release('gone');
  await ending;
  expect((await lookHere(recording)()).state).toBe('lost');
});
