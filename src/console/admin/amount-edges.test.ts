import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { DAY_MS } from '../../base/lib/units.ts';
import { heldBy, samplePeriod, samplePosting } from '../../store/testing/conformance/sample-ledger.ts';
import { startAdminServer } from './testing/test-admin-server.ts';

// Tests amounts at and beyond the limits of each endpoint. Accepted amounts can be read back, even after a
// restart.

const place = mkdtempSync(join(tmpdir(), 'tollgate-edges-'));
afterAll(() => rmSync(place, { recursive: true }));

type Server = Awaited<ReturnType<typeof startAdminServer>>;
type Step = (server: Server, account: string) => Promise<number | undefined>;

/** The largest accepted amount, its neighbors, and amounts without an exact representation. */
const around = (most: number) =>
  fc.constantFrom(
    0,
    1e-6,
    0.1,
    2,
    1_000,
    most / 3,
    most - 1e-6,
    most,
    most + 1e-6,
    most + 1,
    most * 10,
    2 ** 53,
    1e40,
    1e308,
  );
const CREDITS = 1e9;
const USD = 2e6;

const call =
  (method: string, rest: string, body: (amount: number) => unknown) =>
  (amount: number): Step =>
  async (server, account) => {
    const { status } = await server.call(`${method} /accounts/${account}${rest}`, body(amount));
    return status;
  };

/** Returns the start of a cycle that began months ago, so that the next access renews it. */
const past = (months: number) => new Date(Date.now() - months * 31 * DAY_MS).toISOString();
const overrides = fc
  .tuple(around(CREDITS), fc.nat({ max: 5 }))
  .map(([amount, months]) =>
    call('PATCH', '', (credits) => ({ plan_overrides: { credits }, cycle_started_at: past(months) }))(amount),
  );
const price = around(USD).map(call('PATCH', '', (usd) => ({ price_usd_per_month: usd })));
const grant = around(CREDITS).map(call('POST', '/grants', (credits) => ({ credits })));
const purchase = around(USD).map(call('POST', '/purchases', (usd) => ({ usd })));
const cap = around(USD).map(call('POST', '/keys', (usd) => ({ monthly_cap_usd: usd })));
const adjust = fc
  .tuple(around(CREDITS), fc.boolean(), fc.constantFrom('monthly', 'purchased'))
  .map(([amount, isTaken, balance]) =>
    call('POST', '/adjustments', (credits) => ({
      credits: isTaken ? -credits : credits,
      balance,
      reason: 'x',
    }))(amount),
  );

/** The largest charge: the maximum token count at the highest price of a catalog. */
const MAX_TOKENS = 1e8;
const usage = fc
  .tuple(fc.constantFrom(0, 1, MAX_TOKENS - 1, MAX_TOKENS), fc.constantFrom(0, 1, 5e12), fc.boolean())
  .map(
    ([count, rate, isPurchased]): Step =>
      async ({ call: ask, ledger }, accountId) => {
        const { body } = await ask(`GET /accounts/${accountId}`);
        const limitMicrocredits = Math.round(body.credits.limit * 1e6);
        const period = samplePeriod({ id: `cycle-${Date.parse(body.cycle_started_at)}`, limitMicrocredits });
        const cost = Math.ceil((2 * count * rate) / 1e6);
        const worst = { least: 0, most: cost };
        const pays = isPurchased ? 'purchased' : 'monthly';
        const hold = await heldBy(ledger, { accountId, period, pays, worst }).catch(() => undefined);
        if (!hold) return undefined;
        const { receipt, ...posting } = samplePosting(hold, cost);
        const tokens = { input: count, cachedInput: 0, cacheWriteInput: 0, output: count, reasoning: 0 };
        const rates = { input: rate, cachedInput: rate, output: rate };
        await ledger.post({ ...posting, receipt: { ...receipt, tokens, rates } });
        return undefined;
      },
  );

const steps = fc.array(fc.oneof(overrides, price, grant, grant, purchase, cap, adjust, usage, usage), {
  minLength: 5,
  maxLength: 25,
});

async function expectSound({ call: ask }: Server, account: string): Promise<void> {
  const view = await ask(`GET /accounts/${account}`);
  expect({ status: view.status, ledger_fault: view.body.ledger_fault }).toEqual({
    status: 200,
    ledger_fault: undefined,
  });
  const { status, body } = await ask(`GET /accounts/${account}/ledger?limit=1000`);
  expect(status).toBe(200);
  for (const { microcredits, unreadable } of body.data) {
    expect(Number.isSafeInteger(microcredits)).toBe(true);
    expect(unreadable).toBeUndefined();
  }
  const amounts = body.data.map(({ microcredits }: { microcredits: number }) => Math.abs(microcredits));
  expect(Math.max(0, ...amounts)).toBeLessThanOrEqual(1e15);
  expect((await ask('GET /ledger/verify')).body.faults).toEqual([]);
}

test('keeps the largest amount of every endpoint across a restart [CRD-48]', async () => {
  let directories = 0;
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      const directory = join(place, String(directories++));
      let server = await startAdminServer(directory);
      const account = await server.newAccount('enterprise');
      await server.call(`PATCH /accounts/${account}`, { plan_overrides: { credits: 5 } });
      for (const step of sequence) {
        const status = await step(server, account);
        if (status !== undefined) expect([200, 201, 400, 409]).toContain(status);
      }
      await expectSound(server, account);
      await server.close();
      server = await startAdminServer(directory);
      await expectSound(server, account);
      await server.close();
    }),
    { numRuns: 25, seed: 20_261_121 },
  );
});

test('refuses a change whose sum exceeds the largest balance [CRD-48]', async () => {
  const server = await startAdminServer(join(place, 'largest'));
  const account = await server.newAccount('enterprise');
  const set = { plan_overrides: { credits: 1e9 }, cycle_started_at: new Date().toISOString() };
  expect((await server.call(`PATCH /accounts/${account}`, set)).body.credits.limit).toBe(1e9);
  const statuses: number[] = [];
  for (let count = 0; count < 10; count++)
    statuses.push((await server.call(`POST /accounts/${account}/grants`, { credits: 1e9 })).status);
  expect(statuses).toEqual([...Array(8).fill(201), 409, 409]);
  expect((await server.call(`GET /accounts/${account}`)).body.credits.limit).toBe(9e9);
  await expectSound(server, account);
  await server.close();
});
