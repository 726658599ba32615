import { expect, test } from 'bun:test';
import { RecordingSpace } from './recording-space.ts';
import type { TrimBound } from './recording-store.ts';

const KB = 1_024;
const limits = { replay_mb: 8, stream_log_mb: 1 };
const stream = { accountId: 'a', isResumable: true, limits };
const answer = { accountId: 'a', isResumable: false, limits };

test('an answer that exceeds its own bound leaves the space of the other answers as it was', () => {
  const space = new RecordingSpace({ trim: async () => {} });
  for (let count = 0; count < 4; count++) {
    const room = space.roomFor(stream);
    expect(room.take(2_048 * KB)).toBe(false);
    room.free();
    room.free();
  }
  expect(space.roomFor(stream).take(900 * KB)).toBe(true);
  expect(space.roomFor(stream).take(200 * KB)).toBe(false);
});

test('the streams of all accounts are trimmed, although another answer has just trimmed the replays', async () => {
  const bounds: TrimBound[] = [];
  const space = new RecordingSpace({ trim: async (bound) => void bounds.push(bound) });
  await space.roomFor(answer).trim();
  await space.roomFor(stream).trim();
  expect(bounds).toContainEqual({ kind: 'streams', accountId: null, maxBytes: 1_024 * KB });
});
