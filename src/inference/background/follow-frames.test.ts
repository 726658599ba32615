import { expect, test } from 'bun:test';
import { asWritten } from '../../edge/http/as-written.ts';
import type { BackgroundReader } from './background-store.ts';
import { followFrames } from './follow-frames.ts';

test('a reader that looks often loads the status and the new frames only', async () => {
  const statuses = ['in_progress', 'completed'] as const;
  const after: number[] = [];
  const store: BackgroundReader = {
    findStatus: async () => statuses[Math.min(after.length, 1)],
    async loadFrames(_, last) {
      after.push(last);
      return [{ part: after.length, lastNumber: after.length, frames: `frames ${after.length}\n\n` }];
    },
  };
  const followed = { id: 'resp_1', keyId: 'key_1' };
  const { body } = followFrames(store, followed, { after: -1, clock: { now: () => 0 }, style: 'openai' });
  let sent = '';
  await asWritten(body)!({
    write(piece) {
      sent += piece;
      return undefined;
    },
  });
  expect(sent).toContain('frames 1');
  expect(after).toEqual([-1, 1]);
});
