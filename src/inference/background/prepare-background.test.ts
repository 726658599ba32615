import { expect, test } from 'bun:test';
import { Refusal } from '../../base/errors/refusal.ts';
import { knownBody } from '../../base/json/json-body.ts';
import type { BackgroundArrival } from '../request/background-starter.ts';
import { prepareBackground } from './prepare-background.ts';

test('a refused response gives back the memory that its conversation has taken', async () => {
  let freed = 0;
  const exchange = {
    request: new Request('http://background.invalid/'),
    snapshot: { names: { header: { tags: 'x-tags' } } },
    requestId: 'req_1',
    headers: {},
    notes: {},
    booking: { free: () => freed++ },
  };
  const refusal = new Refusal('invalid_request');
  const arrived = {
    exchange,
    principal: { apiKey: { tags: null } },
    body: knownBody('{}', {}),
    dialect: { idPrefix: 'resp_', read: () => refusal },
  } as unknown as BackgroundArrival;
  const prepared = await prepareBackground({ services: {}, authenticator: {} } as never, arrived);
  expect(prepared).toBe(refusal);
  expect(freed).toBe(1);
  expect(exchange.booking).toBeUndefined();
});
