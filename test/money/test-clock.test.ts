import { afterAll, describe, expect, test } from 'bun:test';
import { expectRefusal } from '../support/expect-refusal.ts';
import { startServer } from '../support/start-server.ts';

const DAY_S = 86_400;

const server = await startServer({ environment: { TOLLGATE_TEST_CLOCK: '1' } });
afterAll(server.stop);

describe('with TOLLGATE_TEST_CLOCK=1', () => {
  const advance = (body: unknown) => server.admin('POST', '/test/clock', body);

  test("the server's clock can be moved forward [ADM-47]", async () => {
    const { status, body } = await advance({ advance_s: 3_600 });
    expect(status).toBe(200);
    expect(Math.abs(Date.parse(body.now) - Date.now() - 3_600_000)).toBeLessThan(10_000);
    const later = Date.parse((await advance({ advance_s: 0.5 })).body.now);
    expect(later - Date.parse(body.now)).toBeWithin(500, 5_000);
  });

  test('cycles follow the clock: a downgrade takes effect at the renewal [ADM-47]', async () => {
    const account = await server.createAccount('pro');
    const path = `/accounts/${account}`;
    const { body: pending } = await server.admin('PATCH', path, { plan: 'starter' });
    expect({ plan: pending.plan, pending_plan: pending.pending_plan }).toEqual({
      plan: 'pro',
      pending_plan: 'starter',
    });
    await advance({ advance_s: 32 * DAY_S });
    const { body: renewed } = await server.admin('GET', path);
    expect({ plan: renewed.plan, pending_plan: renewed.pending_plan }).toEqual({
      plan: 'starter',
      pending_plan: null,
    });
    expect(Date.parse(renewed.cycle_started_at)).toBeGreaterThan(Date.parse(pending.cycle_started_at));
  });

  test('the clock never moves back', async () => {
    for (const advance_s of [0, -1, '1', null])
      expectRefusal(await advance({ advance_s }), 400, 'invalid_request', 'advance_s');
    expectRefusal(await advance({}), 400, 'invalid_request', 'advance_s');
  });

  test('only the admin token can move the clock', async () => {
    const path = '/admin/v1/test/clock';
    expect((await server.call(path, { body: { advance_s: 1 } })).status).toBe(401);
  });
});

for (const environment of [{}, { TOLLGATE_TEST_CLOCK: '0' }] as Record<string, string>[]) {
  test(`with ${JSON.stringify(environment)} there is no clock to move [ADM-47]`, async () => {
    const clockless = await startServer({ environment });
    expectRefusal(await clockless.admin('POST', '/test/clock', { advance_s: 1 }), 404, 'not_found');
    await clockless.stop();
  });
}
