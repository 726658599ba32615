import { expect, test } from 'bun:test';
import { asWritten } from '../../edge/http/as-written.ts';
import { OpenAnswers } from '../stream/open-answers.ts';
import type { BackgroundReader } from './background-store.ts';
import { followFrames } from './follow-frames.ts';

test('a reader that looks often loads only the status and a few new frames at a time', async () => {
  const written = [3, 5];
  const frames = Array.from({ length: 5 }, (_, number) => ({
    part: number,
    lastNumber: number,
    frames: `${number}\n\n`,
  }));
  let looks = 0;
  let largest = 0;
  const store: BackgroundReader = {
    findProgress: async () => ({ status: looks++ === 0 ? 'in_progress' : 'completed', parts: looks }),
    async loadFrames(_, after) {
      const parts = frames.slice(0, written[looks - 1]).filter(({ lastNumber }) => lastNumber > after);
      largest = Math.max(largest, parts.length);
      return parts.slice(0, 2);
    },
  };
  expect(await sentTo(store)).toBe('0\n\n1\n\n2\n\n3\n\n4\n\n');
  expect({ looks, largest }).toEqual({ looks: 2, largest: 3 });
});

test('the frames of two attempts are not mixed', async () => {
  const parts = [2, 0];
  const store: BackgroundReader = {
    findProgress: async () => ({ status: 'in_progress', parts: parts.shift()! }),
    loadFrames: async (_, after) =>
      after < 0 ? [{ part: 0, lastNumber: 4, frames: 'data: {"sequence_number":4}\n\n' }] : [],
  };
  const [first, last] = (await sentTo(store)).split('\n\n');
  expect(first).toContain('"sequence_number":4');
  expect(last).toContain('made again');
});

test('a reader that has events of a longer, lost attempt learns that the answer was made again', async () => {
  const store: BackgroundReader = {
    findProgress: async () => ({ status: 'completed', parts: 1 }),
    loadFrames: async (_, after) =>
      after < 4 ? [{ part: 0, lastNumber: 4, frames: 'data: {"sequence_number":4}\n\n' }] : [],
  };
  expect(await sentTo(store, { after: 4 })).toBe('');
  expect(await sentTo(store, { after: 5 })).toContain('made again');
});

test('a stream ends with an error if the server stops', async () => {
  const open = new OpenAnswers();
  const store: BackgroundReader = {
    async findProgress() {
      open.interrupt();
      return { status: 'in_progress', parts: 0 };
    },
    loadFrames: async () => [],
  };
  expect(await sentTo(store, { open })).toContain('capacity_unavailable');
  expect(await sentTo(store, { open })).toContain('capacity_unavailable');
});

async function sentTo(
  store: BackgroundReader,
  { after = -1, open = new OpenAnswers() }: { after?: number; open?: OpenAnswers } = {},
): Promise<string> {
  const followed = { id: 'resp_1', keyId: 'key_1' };
  const { body } = followFrames(store, followed, {
    after,
    clock: { now: () => 0 },
    style: 'openai',
    open,
  });
  let sent = '';
  await asWritten(body)!({
    write(piece) {
      sent += piece;
      return undefined;
    },
  });
  return sent;
}
