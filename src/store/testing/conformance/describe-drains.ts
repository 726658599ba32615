import { describe, expect } from 'bun:test';
import { type OpenStore, storeTest } from './store-test.ts';

export function describeDrains(open: OpenStore): void {
  describe('drained providers', () => {
    storeTest(open)('stay drained until the drain ends, even after a restart', async ({ store, reopen }) => {
      await store.drains.setDrained('vendor', 1_000);
      await store.drains.setDrained('vendor', 2_000);
      await store.drains.setDrained('other', 1_000);
      const again = await reopen();
      expect(await again.drains.drainedProviders()).toEqual(new Set(['vendor', 'other']));
      await again.drains.setDrained('vendor', null);
      await again.drains.setDrained('vendor', null);
      expect(await again.drains.drainedProviders()).toEqual(new Set(['other']));
    });
  });
}
