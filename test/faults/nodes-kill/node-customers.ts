import type { TestServer } from '../../support/start-server.ts';
import type { ClientKey } from '../busy-clients.ts';
import { LIMITED, markOf, NARROW } from './watched-upstream.ts';

export const PER_MINUTE = 60;
export const CONCURRENT = 3;
/** Credit for some three hundred answers. The operator adds it from time to time. */
const SMALL_USD = 0.006;
const MICROCREDITS_OF_USD = 500_000_000;

export type NodeCustomers = Awaited<ReturnType<typeof createNodeCustomers>>;

/** Creates a key for each way to pay, and two keys with their own limits. */
export async function createNodeCustomers(server: TestServer) {
  const monthly = await server.createKey('enterprise');
  const capped = await server.createKey('enterprise', { account: monthly.account, monthly_cap_usd: 1e6 });
  const tight = await server.createKey('enterprise', { monthly_cap_usd: SMALL_USD });
  const payg = await server.createKey('payg');
  await server.purchase(payg.account, 1_000);
  const draining = await server.createKey('payg');
  await server.purchase(draining.account, SMALL_USD);
  const limited = await server.createKey('enterprise', { limits: { requests_per_min: PER_MINUTE } });
  const narrow = await server.createKey('enterprise', { limits: { concurrent: CONCURRENT } });
  const paid = [monthly, capped, payg];
  let capUsd = SMALL_USD;
  return {
    tightKey: tight.id,
    capMicrocredits: () => Math.round(capUsd * MICROCREDITS_OF_USD),
    /** The keys as clients of one process of a node use them. The well-paid ones are drawn more often. */
    keysOf: (run: number): ClientKey[] => [
      ...[...paid, ...paid, tight, draining].map(({ key, id }) => ({ key, id })),
      ...[LIMITED, NARROW].map((model) => {
        const { key, id } = model === LIMITED ? limited : narrow;
        return { key, id, model, text: () => markOf(run) };
      }),
    ],
    /** Adds credit where it runs out. A node that is killed meanwhile may have added it. */
    async refill(by: TestServer): Promise<void> {
      capUsd += SMALL_USD;
      await by.purchase(draining.account, SMALL_USD).catch(() => {});
      await by.admin('PATCH', `/keys/${tight.id}`, { monthly_cap_usd: capUsd }).catch(() => {});
    },
  };
}
