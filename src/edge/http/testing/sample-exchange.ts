import { sampleSnapshot } from '../../../settings/snapshot/testing/sample-snapshot.ts';
import type { Exchange } from '../exchange.ts';
import { OpenExchange } from '../open-exchange.ts';
import { fromLoopback } from './from-loopback.ts';

/** Creates an exchange that came over no connection, with the given members in place of its own. */
export function sampleExchange(fields: Partial<Exchange> = {}): Exchange {
  const { request = new Request('http://localhost/v1/models'), snapshot = sampleSnapshot() } = fields;
  const surroundings = { connections: fromLoopback, now: 0, observer: { onFailure() {} } };
  return Object.assign(new OpenExchange(request, snapshot, surroundings), fields);
}
