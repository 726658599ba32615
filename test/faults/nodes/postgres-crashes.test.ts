import { afterAll, beforeAll, expect, test } from 'bun:test';
import { openCrashGateway, SERVED_MS } from './crash-gateway.ts';

let crashes: Awaited<ReturnType<typeof openCrashGateway>>;

beforeAll(async () => {
  crashes = await openCrashGateway();
});
afterAll(() => crashes.gateway.close());

test('nodes serve again within 8 s after a restart of Postgres, and bill every complete answer', async () => {
  const { postgres } = crashes.gateway;
  const end = () => postgres.stop();
  expect(await crashes.endPostgres({ end, bringBack: () => postgres.start() })).toBeLessThan(SERVED_MS);
});

test('a kill of Postgres leaves no complete answer unbilled, and no window or place is forgotten', async () => {
  const { postgres } = crashes.gateway;
  const steps = { end: () => postgres.kill(), bringBack: () => postgres.start() };
  const tookMs = await crashes.expectLimitsKeptOver(() => crashes.endPostgres(steps));
  expect(tookMs).toBeLessThan(SERVED_MS);
});
