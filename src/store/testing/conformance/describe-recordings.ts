import { describe, expect } from 'bun:test';
import { type OpenStore, storeTest } from './store-test.ts';

const HELD = { requestId: 'req_1', holder: 'proc_1' };
const NAMED = { keyId: 'key_1', accountId: 'acct_a', path: '/v1/responses', bodyHash: 'hash' };

export function describeRecordings(open: OpenStore): void {
  describe('recorded answers', () => {
    storeTest(open)('extends the leases of one process, and keeps its answers longer', async ({ store }) => {
      const { recordings } = store;
      const times = { createdAt: 1_000, heldUntil: 2_000, readUntil: 2_000, expiresAt: 3_000 };
      const flags = { idempotencyKey: null, isJoinable: true, isResumable: true, hasIds: true };
      await recordings.begin({ ...HELD, ...NAMED, ...flags, ...times });
      await recordings.begin({ ...NAMED, ...flags, ...times, requestId: 'req_2', holder: 'proc_2' });
      await recordings.renew('proc_1', { heldUntil: 5_000, readUntil: 5_000 });
      expect(await recordings.find('req_1')).toMatchObject({ heldUntil: 5_000 });
      expect(await recordings.find('req_2')).toMatchObject({ heldUntil: 2_000 });
      expect(await recordings.sweepRecordings({ now: 4_000, limit: 10 })).toBe(1);
      await recordings.leaveOthers('proc_9', 4_500);
      expect(await recordings.find('req_1')).toMatchObject({ heldUntil: 4_499 });
    });
  });
}
