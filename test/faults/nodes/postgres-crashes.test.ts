import { afterAll, beforeAll, expect, test } from 'bun:test';
import { openCrashHouse, SERVED_MS } from './crash-house.ts';

let crashes: Awaited<ReturnType<typeof openCrashHouse>>;

beforeAll(async () => {
  crashes = await openCrashHouse();
});
afterAll(() => crashes.house.close());

test('nodes serve again within 8 s after a restart of Postgres, and bill every complete answer', async () => {
  const { postgres } = crashes.house;
  const end = () => postgres.stop();
  expect(await crashes.endPostgres({ end, bringBack: () => postgres.start() })).toBeLessThan(SERVED_MS);
});

test('a kill of Postgres leaves no complete answer unbilled, and no window or place is forgotten', async () => {
  const { postgres } = crashes.house;
  const steps = { end: () => postgres.kill(), bringBack: () => postgres.start() };
  const tookMs = await crashes.expectLimitsKeptOver(() => crashes.endPostgres(steps));
  expect(tookMs).toBeLessThan(SERVED_MS);
});
