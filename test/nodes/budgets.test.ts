import { afterAll, expect, test } from 'bun:test';
import { budgetsOf, openBudgetGateway } from '../support/budget-gateway.ts';
import type { Answer, Json } from '../support/call.ts';
import { countStatuses } from '../support/count-statuses.ts';
import { isFull } from '../support/is-full.ts';
import { startNodes } from '../support/postgres/start-nodes.ts';
import { startRecordingUpstream } from '../support/recording-upstream.ts';
import { sampleConfig } from '../support/sample-config.ts';
import type { TestServer } from '../support/start-server.ts';
import { startWebhook, WEBHOOK_SECRET } from '../support/start-webhook.ts';
import { waitFor } from '../support/wait-for.ts';
import { wideLimits } from '../support/wide-limits.ts';

const upstream = startRecordingUpstream();
const webhook = startWebhook();
afterAll(() => Promise.all([upstream.stop(), webhook.stop()]));
const { first, nodes, spread } = await startNodes(3, {
  ...sampleConfig(upstream.url),
  plans: wideLimits,
  store: { admit_timeout_ms: 4_000 },
  alerts: { webhooks: [{ url: webhook.url, secret: WEBHOOK_SECRET }] },
});
const gateway = await openBudgetGateway(first, upstream);
const { usd, createBudget, readBudget, faults, ask } = gateway;

const [MANY, PAID] = isFull ? [200, 20] : [40, 8];

/** Asks again after 503, because an admission can time out on a loaded machine. */
const askUntilAdmitted = async (node: TestServer): Promise<Answer> => {
  const answer = await ask(node);
  return answer.status === 503 ? askUntilAdmitted(node) : answer;
};

test('each budget serves exactly what it pays of many requests over three nodes, beyond what was spent before it', async () => {
  let served = 0;
  for (const fields of budgetsOf(gateway)) {
    const budget = await createBudget({ ...fields, limit_usd: usd(served + PAID) });
    expect(budget).toMatchObject({ ...fields, spent_usd: usd(served), exhausted: false });
    const answers = await spread(MANY, askUntilAdmitted);
    expect({ fields, statuses: countStatuses(answers) }).toEqual({
      fields,
      statuses: { 200: PAID, 402: MANY - PAID },
    });
    served += PAID;
    const after = { spent_usd: usd(served), held_usd: 0, remaining_usd: 0, exhausted: true };
    expect(await readBudget(budget.id)).toMatchObject(after);
    const reported = (event: string) =>
      webhook.of(event).filter(({ data }: Json) => data.budget_id === budget.id);
    await waitFor(() => reported('budget_exhausted').length > 0 && reported('budget_warning').length > 0);
    for (const event of ['budget_warning', 'budget_exhausted']) expect(reported(event)).toHaveLength(1);
    await first.admin('DELETE', `/budgets/${budget.id}`);
  }
  expect(await faults()).toEqual([]);
}, 240_000);

test('every node knows a budget and its raise as soon as their requests are answered', async () => {
  const budget = await createBudget({ scope: 'organization', window: 'month', limit_usd: 0 });
  for (const node of nodes) expect((await askUntilAdmitted(node)).status).toBe(402);
  const raise = { add_usd: 1_000, ends_at: new Date(Date.now() + 3_600_000).toISOString() };
  expect((await first.admin('POST', `/budgets/${budget.id}/raise`, raise)).status).toBe(200);
  for (const node of nodes) expect((await askUntilAdmitted(node)).status).toBe(200);
  expect((await nodes[2]!.admin('DELETE', `/budgets/${budget.id}/raise`)).status).toBe(200);
  for (const node of nodes) expect((await askUntilAdmitted(node)).status).toBe(402);
  await first.admin('DELETE', `/budgets/${budget.id}`);
  for (const node of nodes) expect((await askUntilAdmitted(node)).status).toBe(200);
  expect(await faults()).toEqual([]);
});
