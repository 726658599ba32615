import { expect, test } from 'bun:test';
import { timeOfId } from '../../base/lib/ids.ts';
import { sampleSnapshot } from '../../settings/snapshot/testing/sample-snapshot.ts';
import { OpenExchange } from './open-exchange.ts';
import { fromLoopback } from './testing/from-loopback.ts';

test('a request id has the time of the clock that all nodes share', () => {
  const now = 1_700_000_000_000;
  const exchange = new OpenExchange(new Request('http://host/v1/models'), sampleSnapshot(), {
    connections: fromLoopback,
    now,
    observer: { onFailure() {} },
  });
  expect(timeOfId(exchange.requestId)).toBe(now);
});
