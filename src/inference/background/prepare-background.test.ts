import { expect, test } from 'bun:test';
import { Refusal } from '../../base/errors/refusal.ts';
import { knownBody } from '../../base/json/json-body.ts';
import { partial } from '../../base/lib/testing/partial.ts';
import { sampleExchange } from '../../edge/http/testing/sample-exchange.ts';
import { samplePrincipal } from '../../money/auth/testing/sample-principal.ts';
import type { BackgroundArrival } from '../request/background-starter.ts';
import type { BackgroundParts } from './background-parts.ts';
import { prepareBackground } from './prepare-background.ts';

test('a refused response gives back the memory that its conversation has taken', async () => {
  let freed = 0;
  const exchange = sampleExchange({ booking: partial({ free: () => void freed++ }) });
  const refusal = new Refusal('invalid_request');
  const arrived = partial<BackgroundArrival>({
    exchange,
    principal: samplePrincipal(),
    body: knownBody('{}', {}),
    dialect: partial({ idPrefix: 'resp_', read: () => refusal }),
  });
  const parts = partial<BackgroundParts>({ services: partial({}), authenticator: partial({}) });
  const prepared = await prepareBackground(parts, arrived);
  expect(prepared).toBe(refusal);
  expect(freed).toBe(1);
  expect(exchange.booking).toBeUndefined();
});
