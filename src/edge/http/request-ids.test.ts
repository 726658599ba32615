import { expect, test } from 'bun:test';
import { timeOfId } from '../../base/lib/ids.ts';
import { namesOf } from '../../base/lib/names.ts';
import type { Snapshot } from '../../settings/snapshot/snapshot.ts';
import { OpenExchange } from './open-exchange.ts';
import { fromLoopback } from './testing/from-loopback.ts';

test('a request id has the time of the clock that all nodes share', () => {
  const now = 1_700_000_000_000;
  const request = new Request('http://host/v1/models');
  const snapshot = { names: namesOf('svc') } as unknown as Snapshot;
  const exchange = new OpenExchange(request, snapshot, {
    connections: fromLoopback,
    now,
    observer: { onFailure() {} },
  });
  expect(timeOfId(exchange.requestId)).toBe(now);
});
