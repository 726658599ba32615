import { describe, expect } from 'bun:test';
import type { Payload } from '../../../watch/requests/payload-store.ts';
import { type OpenStore, storeTest } from './store-test.ts';
import { textSamples } from './text-samples.ts';

const payload = (requestId: string, at: number, accountId = 'acct_a'): Payload => ({
  requestId,
  accountId,
  at,
  content: JSON.stringify({ request: textSamples, answer: `${at}` }),
});

export function describePayloads(open: OpenStore): void {
  describe('payloads', () => {
    const check = storeTest(open);

    check(
      'keeps content and the accounts whose content is kept, even after a restart',
      async ({ store, reopen }) => {
        await store.payloads.setPayloadLogging('acct_a', true);
        await store.payloads.setPayloadLogging('acct_a', true);
        await store.payloads.setPayloadLogging('acct_b', true);
        await store.payloads.setPayloadLogging('acct_b', false);
        await store.payloads.addPayloads([payload('req_1', 1), payload('req_2', 2)], 10);
        const { payloads } = await reopen();
        expect(await payloads.payloadAccounts()).toEqual(['acct_a']);
        expect(await payloads.findPayload('acct_a', 'req_1')).toEqual(payload('req_1', 1));
        expect(await payloads.findPayload('acct_b', 'req_1')).toBeUndefined();
        expect(await payloads.findPayload('acct_\0', 'req_1')).toBeUndefined();
      },
    );

    check(
      'removes content beyond the bound, expired content, and all content of an account',
      async ({ store }) => {
        const { payloads } = store;
        const kept = async () => {
          const ids = Array.from({ length: 6 }, (_, index) => `req_${index}`);
          const found = await Promise.all(ids.map((id) => payloads.findPayload('acct_a', id)));
          return found.flatMap((one) => one?.at ?? []);
        };
        for (let at = 0; at < 6; at++) await payloads.addPayloads([payload(`req_${at}`, at)], 4);
        await payloads.addPayloads([payload('req_b', 1, 'acct_b')], 4);
        expect(await kept()).toEqual([2, 3, 4, 5]);
        expect(await payloads.sweepPayloads({ before: 4, limit: 2 })).toBe(2);
        expect(await payloads.sweepPayloads({ before: 4, limit: 2 })).toBe(1);
        expect(await kept()).toEqual([4, 5]);
        expect(await payloads.deletePayloads('acct_a')).toBe(2);
        expect(await kept()).toEqual([]);
      },
    );

    check(
      'never keeps more than the bound, and removes the oldest once for a hundredth of it',
      async ({ store, reopen }) => {
        const { payloads } = store;
        const add = (count: number, from: number, into = payloads) =>
          into.addPayloads(
            Array.from({ length: count }, (_, index) => payload(`req_${from + index}`, from + index)),
            200,
          );
        await add(200, 0);
        expect(await payloads.findPayload('acct_a', 'req_0')).toBeUndefined();
        await add(1, 200);
        expect(await payloads.findPayload('acct_a', 'req_1')).toBeDefined();
        await add(1, 201);
        expect(await payloads.findPayload('acct_a', 'req_2')).toBeUndefined();
        expect(await payloads.findPayload('acct_a', 'req_3')).toBeDefined();
        await add(1, 202);
        // The first contents after a start remove what an earlier process has left.
        const again = (await reopen()).payloads;
        await add(1, 203, again);
        expect(await again.findPayload('acct_a', 'req_4')).toBeUndefined();
        expect(await again.deletePayloads('acct_a')).toBe(199);
      },
    );
  });
}
