import { afterAll, expect, test } from 'bun:test';
import { budgetsOf, openBudgetGateway } from '../support/budget-gateway.ts';
import { countStatuses } from '../support/count-statuses.ts';
import { isFull } from '../support/is-full.ts';
import { startRecordingUpstream } from '../support/recording-upstream.ts';
import { sampleConfig } from '../support/sample-config.ts';
import { startServer } from '../support/start-server.ts';
import { wideLimits } from '../support/wide-limits.ts';

const upstream = startRecordingUpstream();
const server = await startServer({ config: { ...sampleConfig(upstream.url), plans: wideLimits } });
afterAll(async () => {
  await server.stop();
  await upstream.stop();
});
const gateway = await openBudgetGateway(server, upstream);
const { usd, ask, createBudget, readBudget, faults } = gateway;

const [MANY, PAID] = isFull ? [200, 20] : [80, 10];

test('each budget serves exactly what it pays of many simultaneous requests, beyond what was spent before it', async () => {
  let served = 0;
  for (const fields of budgetsOf(gateway)) {
    const budget = await createBudget({ ...fields, limit_usd: usd(served + PAID) });
    expect(budget).toMatchObject({ ...fields, spent_usd: usd(served), exhausted: false });
    const answers = await Promise.all(Array.from({ length: MANY }, () => ask()));
    const statuses = countStatuses(answers);
    expect({ fields, statuses }).toEqual({ fields, statuses: { 200: PAID, 402: MANY - PAID } });
    served += PAID;
    expect(await readBudget(budget.id)).toMatchObject({
      spent_usd: usd(served),
      held_usd: 0,
      remaining_usd: 0,
      exhausted: true,
    });
    await server.admin('DELETE', `/budgets/${budget.id}`);
  }
  expect(await faults()).toEqual([]);
}, 120_000);
