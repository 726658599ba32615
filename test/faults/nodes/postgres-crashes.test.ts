import { afterAll, expect, test } from 'bun:test';
import { openCrashGateway, SERVED_MS } from './crash-gateway.ts';

const crashes = await openCrashGateway();
afterAll(crashes.gateway.close);

test('nodes serve again within 8 s after a restart of Postgres without an unbilled answer', async () => {
  const { postgres } = crashes.gateway;
  const end = () => postgres.stop();
  expect(await crashes.endPostgres({ end, bringBack: () => postgres.start() })).toBeLessThan(SERVED_MS);
});

test('after a kill of Postgres every complete answer is billed and every window and place is known', async () => {
  const { postgres } = crashes.gateway;
  const steps = { end: () => postgres.kill(), bringBack: () => postgres.start() };
  const tookMs = await crashes.expectLimitsKeptOver(() => crashes.endPostgres(steps));
  expect(tookMs).toBeLessThan(SERVED_MS);
});
