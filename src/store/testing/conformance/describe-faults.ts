import { describe, expect } from 'bun:test';
import type { FaultRow } from '../../../watch/faults/fault.ts';
import { type OpenStore, storeTest } from './store-test.ts';

const fault = (fields: Partial<FaultRow>): FaultRow => ({
  id: 'flt_1',
  provider: 'p',
  cause: 'failing',
  model: 'm',
  firstAt: 10,
  lastAt: 30,
  wellAt: null,
  seenAt: null,
  failures: 3,
  hidden: 1,
  isRaised: true,
  recent: [10, 20, 30],
  status: 500,
  message: 'Zoë "broke" it',
  ...fields,
});

/** Describes tests of the faults of providers that processes have seen. */
export function describeFaults(open: OpenStore): void {
  describe('faults', () => {
    const check = storeTest(open);
    check('a message with characters that no store keeps is saved without them', async ({ store }) => {
      await store.faults.saveFaults([fault({ message: 'half \ud83d, no \0' })]);
      expect((await store.faults.listFaults(1))[0]?.message).toBe('half \ufffd, no \ufffd');
    });

    check('a row of a fault is replaced, listed while it lasts, and removed later', async (opened) => {
      const { faults } = opened.store;
      const bare = fault({
        id: 'flt_2',
        model: null,
        status: null,
        message: null,
        isRaised: false,
        lastAt: 20,
      });
      await faults.saveFaults([fault({ failures: 1 }), bare]);
      await faults.saveFaults([fault({ wellAt: 40, seenAt: 90 })]);
      const { faults: reopened } = await opened.reopen();
      expect(await reopened.listFaults(9)).toEqual([fault({ wellAt: 40, seenAt: 90 }), bare]);
      expect(await reopened.listFaults(1)).toHaveLength(1);
      expect((await reopened.openFaults(40)).map(({ id }) => id)).toEqual(['flt_2']);
      expect(await reopened.openFaults(39)).toHaveLength(2);
      await reopened.sweepFaults({ before: 90, unraisedBefore: 21 });
      expect((await reopened.listFaults(9)).map(({ id }) => id)).toEqual(['flt_1']);
      await reopened.sweepFaults({ before: 91, unraisedBefore: 91 });
      expect(await reopened.listFaults(9)).toEqual([]);
    });
  });
}
