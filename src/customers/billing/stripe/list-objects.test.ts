import { expect, test } from 'bun:test';
import { listObjects } from './list-objects.ts';
import type { StripeClient } from './stripe-client.ts';

test('the objects of all pages of a list are read', async () => {
  const ids = Array.from({ length: 250 }, (_, index) => `re_${index}`);
  const stripe = {
    async get(_path: string, { charge, limit, starting_after: after }: Record<string, unknown>) {
      expect(charge).toBe('ch_1');
      const start = ids.indexOf(String(after)) + 1;
      const data = ids.slice(start, start + Number(limit)).map((id) => ({ id }));
      return { data, has_more: start + data.length < ids.length };
    },
  } as Pick<StripeClient, 'get'>;
  const listed: string[] = [];
  for await (const { id } of listObjects<{ id: string }>(stripe, '/v1/refunds', { charge: 'ch_1' }))
    listed.push(id);
  expect(listed).toEqual(ids);
});
