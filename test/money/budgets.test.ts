import { afterAll, expect, test } from 'bun:test';
import { callDashboard, PASSWORD, signInWithPassword } from '../dashboard/sign-in.ts';
import { answerWithUsage } from '../support/answer-with-usage.ts';
import { openBudgetGateway, TAG, USER } from '../support/budget-gateway.ts';
import { bearer, chatBody, type Json } from '../support/call.ts';
import { usageEntries } from '../support/ledger-entries.ts';
import { messagesBody } from '../support/messages-body.ts';
import { startRecordingUpstream } from '../support/recording-upstream.ts';
import { sampleConfig } from '../support/sample-config.ts';
import { startServer } from '../support/start-server.ts';
import { startWebhook, WEBHOOK_SECRET } from '../support/start-webhook.ts';
import { waitFor } from '../support/wait-for.ts';
import { wideLimits } from '../support/wide-limits.ts';

const upstream = startRecordingUpstream();
const webhook = startWebhook();
const server = await startServer({
  config: {
    ...sampleConfig(upstream.url),
    plans: wideLimits,
    alerts: { webhooks: [{ url: webhook.url, secret: WEBHOOK_SECRET }] },
  },
  environment: { TOLLGATE_TEST_CLOCK: '1' },
});
afterAll(async () => {
  await server.stop();
  await upstream.stop();
  await webhook.stop();
});
const gateway = await openBudgetGateway(server, upstream);
const { usd, ask, createBudget, readBudget, faults, key, account, person, body, owner } = gateway;

const admin = server.admin;
const remove = (id: string) => admin('DELETE', `/budgets/${id}`);
const advance = async (seconds: number): Promise<number> =>
  Date.parse((await admin('POST', '/test/clock', { advance_s: seconds })).body.now);
const keyed = { ...bearer(key.key) };
const messagesKey = { 'x-api-key': key.key };
const HOUR_S = 3_600;

test('a refusal names the budget in every dialect', async () => {
  const fields = { name: 'Team', scope: 'tag', target: TAG, window: 'day', limit_usd: usd(1) };
  const budget = await createBudget(fields);
  expect((await ask()).status).toBe(200);
  const named = { id: budget.id, name: 'Team', scope: 'tag', target: TAG, window: 'day', kind: 'calendar' };
  const member = { ...named, limit_usd: usd(1), spent_usd: usd(1), resets_at: budget.resets_at };
  const calls: [path: string, sent: Json][] = [
    ['/v1/chat/completions', body],
    ['/v1/messages', messagesBody('test-small', { max_tokens: 20 })],
    ['/v1/responses', { model: 'test-small', max_output_tokens: 20, input: 'hi' }],
  ];
  for (const [path, sent] of calls) {
    const headers = path === '/v1/messages' ? messagesKey : keyed;
    const answer = await server.call(path, { headers, body: sent });
    const { error } = answer.body;
    expect({ path, status: answer.status, code: error.code, budget: error.budget }).toEqual({
      path,
      status: 402,
      code: 'key_budget_exhausted',
      budget: member,
    });
    expect(error.message).toContain('"Team" of the tag team a has spent');
    expect(error.message).toContain(budget.resets_at);
    expect(answer.headers.get('retry-after')).toBeNull();
  }
  const { status, body: quote } = await server.call('/v1/quote', { headers: bearer(key.key), body });
  expect({ status, quote: JSON.stringify(quote) }).toEqual({
    status: 200,
    quote: expect.stringContaining('key_budget_exhausted'),
  });
  const listed = async () =>
    (await admin('GET', `/requests?tag=${encodeURIComponent(TAG)}&code=key_budget_exhausted`)).body.data;
  await waitFor(async () => (await listed()).length === 3);
  const data = await listed();
  expect({ requests: data.length, tags: data[0].tags, explanation: data[0].error.explanation }).toEqual({
    requests: 3,
    tags: [TAG],
    explanation: expect.stringContaining('A budget of'),
  });
  await remove(budget.id);
  expect((await ask()).status).toBe(200);
});

/** Leaves the last hour of a day and the last day of a month, where windows end together. */
async function leaveEnds(): Promise<void> {
  if (new Date(await advance(1)).getUTCHours() === 23) await advance(HOUR_S);
  const now = await advance(1);
  const isLastDay = new Date(now + 24 * HOUR_S * 1_000).getUTCDate() === 1;
  if (isLastDay) await advance(24 * HOUR_S);
}

test('a refusal by several budgets names the one that is free last', async () => {
  await leaveEnds();
  const day = await createBudget({ scope: 'key', target: key.id, window: 'day', limit_usd: 0 });
  const month = await createBudget({ scope: 'organization', window: 'month', limit_usd: 0 });
  const hour = await createBudget({ scope: 'end_user', window: 'hour', limit_usd: 0 });
  expect((await ask()).body.error.budget).toMatchObject({ id: month.id, target: null });
  await remove(month.id);
  expect((await ask()).body.error.budget).toMatchObject({ id: day.id, target: key.id });
  await remove(day.id);
  expect((await ask()).body.error.budget).toMatchObject({ id: hour.id, target: USER });
  await remove(hour.id);
});

test('each target of a budget without one has the limit by itself', async () => {
  const ada = chatBody('test-small', { max_tokens: 20, user: 'ada' });
  const bob = chatBody('test-small', { max_tokens: 20, user: 'bob' });
  const budget = await createBudget({
    scope: 'end_user',
    window: 'week',
    kind: 'sliding',
    limit_usd: usd(100),
  });
  await admin('PATCH', `/budgets/${budget.id}`, { limit_usd: usd(3) });
  for (const sent of [ada, ada, ada, bob]) expect((await ask(server, key, sent)).status).toBe(200);
  expect((await ask(server, key, ada)).body.error.budget).toMatchObject({ target: 'ada', spent_usd: usd(3) });
  expect((await ask(server, key, bob)).status).toBe(200);
  const spend = async (query = '') => (await admin('GET', `/budgets/${budget.id}/spend${query}`)).body;
  const { data, has_more } = await spend('?limit=2');
  expect(data[0]).toMatchObject({ target: 'ada', requests: 3, spent_usd: usd(3) });
  expect(has_more).toBe(true);
  expect((await spend(`?limit=2&after=${data[1].id}`)).data[0]).toMatchObject({ target: 'bob', requests: 2 });
  expect((await readBudget(budget.id)).spent_usd).toBe(data[0].spent_usd);
  await remove(budget.id);
});

test('a calendar window ends at once and a sliding one by sixtieths of its span', async () => {
  const now = await advance(1);
  const other = await server.createKey('max', { account });
  await advance(HOUR_S - (Math.floor(now / 1_000) % HOUR_S) + 60);
  const calendar = await createBudget({ scope: 'key', target: other.id, window: 'hour', limit_usd: usd(1) });
  const sliding = await createBudget({
    scope: 'key',
    target: other.id,
    window: 'hour',
    kind: 'sliding',
    limit_usd: usd(2),
  });
  expect(sliding.resets_at).toBeNull();
  expect((await ask(server, other)).status).toBe(200);
  expect((await ask(server, other)).body.error.budget.id).toBe(calendar.id);
  const { resets_at } = await readBudget(calendar.id);
  expect(Date.parse(resets_at) % (HOUR_S * 1_000)).toBe(0);
  await advance(HOUR_S - 60);
  expect((await ask(server, other)).status).toBe(200);
  await remove(calendar.id);
  const refused = (await ask(server, other)).body.error.budget;
  expect(refused).toMatchObject({ id: sliding.id, kind: 'sliding', spent_usd: usd(2) });
  expect(Date.parse(refused.resets_at)).toBeGreaterThan(0);
  await advance(120);
  expect((await ask(server, other)).status).toBe(200);
  expect((await ask(server, other)).status).toBe(402);
  expect(await faults()).toEqual([]);
  await remove(sliding.id);
});

test('a raise ends at its time, and an older revision is refused', async () => {
  const spent = (await createBudget({ scope: 'organization', window: 'month', limit_usd: 1_000 })) as Json;
  const limit_usd = spent.spent_usd;
  const { body: changed } = await admin('PATCH', `/budgets/${spent.id}`, {
    limit_usd,
    revision: spent.revision,
  });
  expect({ revision: changed.revision, exhausted: changed.exhausted }).toEqual({
    revision: spent.revision + 1,
    exhausted: true,
  });
  const stale = await admin('PATCH', `/budgets/${spent.id}`, { limit_usd: 5, revision: spent.revision });
  expect({ status: stale.status, code: stale.body.error.code }).toEqual({ status: 409, code: 'conflict' });
  expect((await ask()).status).toBe(402);
  const ends_at = changed.counted_from;
  const past = await admin('POST', `/budgets/${spent.id}/raise`, { add_usd: usd(1), ends_at });
  expect(past.status).toBe(400);
  const late = new Date(Date.now() + 100 * HOUR_S * 1_000).toISOString();
  const raised = await admin('POST', `/budgets/${spent.id}/raise`, {
    add_usd: usd(1),
    ends_at: late,
    reason: 'launch',
  });
  expect(raised.body.raise).toMatchObject({ add_usd: usd(1), ends_at: late, reason: 'launch' });
  expect(raised.body.effective_limit_usd).toBeCloseTo(limit_usd + usd(1), 9);
  expect((await ask()).status).toBe(200);
  expect((await ask()).status).toBe(402);
  expect((await admin('DELETE', `/budgets/${spent.id}/raise`)).body).toMatchObject({
    raise: null,
    exhausted: true,
  });
  expect((await ask()).status).toBe(402);
  await remove(spent.id);
});

test('warnings and exhaustion are reported once until a raise', async () => {
  const tagged = await server.createKey('max', { account, tags: ['noted'] });
  const budget = await createBudget({
    scope: 'tag',
    target: 'noted',
    window: 'month',
    limit_usd: usd(4),
    warn_share: 0.5,
  });
  const reported = (event: string) =>
    webhook.of(event).filter(({ data }: Json) => data.budget_id === budget.id);
  await ask(server, tagged);
  await ask(server, tagged);
  await waitFor(() => reported('budget_warning').length === 1);
  expect(reported('budget_warning')[0]!.data).toMatchObject({
    account_id: account,
    scope: 'tag',
    target: 'noted',
    window: 'month',
    limit_usd: usd(4),
    spent_usd: usd(2),
    share: 0.5,
    resets_at: budget.resets_at,
  });
  await ask(server, tagged);
  await ask(server, tagged);
  await ask(server, tagged);
  await waitFor(() => reported('budget_exhausted').length === 1);
  const ends_at = new Date(Date.now() + 100 * HOUR_S * 1_000).toISOString();
  await admin('POST', `/budgets/${budget.id}/raise`, { add_usd: usd(1), ends_at });
  await ask(server, tagged);
  await waitFor(() => reported('budget_exhausted').length === 2 && reported('budget_warning').length === 2);
  await remove(budget.id);
});

test('tags come from the header and the key, and faulty ones are refused', async () => {
  const tagged = async (tags: string) =>
    server.call('/v1/chat/completions', { headers: { ...bearer(key.key), 'x-svc-tags': tags }, body });
  upstream.forget();
  expect((await tagged('one, two ,one')).status).toBe(200);
  expect(upstream.requests[0]!.headers.has('x-svc-tags')).toBe(false);
  const listed = async () => (await admin('GET', '/requests?tag=two')).body.data;
  await waitFor(async () => (await listed()).length === 1);
  expect((await listed())[0].tags).toEqual(['one', 'two', TAG]);
  for (const faulty of ['x'.repeat(65), 'a,b,c,d,e,f,g,h,i']) {
    const { status, body: refused } = await tagged(faulty);
    expect({ status, code: refused.error.code, param: refused.error.param }).toEqual({
      status: 400,
      code: 'invalid_request',
      param: 'x-svc-tags',
    });
  }
  const strange = await admin('PATCH', `/keys/${key.id}`, { person_id: 'nobody' });
  expect({ status: strange.status, param: strange.body.error.param }).toEqual({
    status: 400,
    param: 'person_id',
  });
  expect((await admin('GET', `/accounts/${account}/keys`)).body.data[0]).toMatchObject({
    person_id: null,
    tags: [],
  });
});

test('faulty budgets are refused with the field', async () => {
  const faulty: [fields: Json, param: string][] = [
    [{ scope: 'team', window: 'day', limit_usd: 1 }, 'scope'],
    [{ scope: 'key', window: 'year', limit_usd: 1 }, 'window'],
    [{ scope: 'key', window: 'day', limit_usd: -1 }, 'limit_usd'],
    [{ scope: 'key', target: 'key_other', window: 'day', limit_usd: 1 }, 'target'],
    [{ scope: 'member', target: 'nobody', window: 'day', limit_usd: 1 }, 'target'],
    [{ scope: 'organization', target: 'x', window: 'day', limit_usd: 1 }, 'target'],
    [{ scope: 'tag', target: 'a,b', window: 'day', limit_usd: 1 }, 'target'],
    [{ scope: 'key', window: 'day', limit_usd: 1, warn_share: 0 }, 'warn_share'],
  ];
  for (const [fields, param] of faulty) {
    const refused = await admin('POST', '/budgets', { account_id: account, ...fields });
    expect({ fields, status: refused.status, param: refused.body.error.param }).toEqual({
      fields,
      status: 400,
      param,
    });
  }
  expect((await admin('GET', '/budgets/bud_none')).status).toBe(404);
});

test("a key's cap is listed among the budgets but changed only through its key", async () => {
  const capped = await server.createKey('max', { account, monthly_cap_usd: usd(1) });
  await ask(server, capped);
  const { error } = (await ask(server, capped)).body;
  expect({ code: error.code, budget: error.budget }).toEqual({
    code: 'key_budget_exhausted',
    budget: undefined,
  });
  const { data } = (await admin('GET', `/budgets?account=${account}&scope=key`)).body;
  expect(data.find(({ target }: Json) => target === capped.id)).toMatchObject({
    source: 'key',
    window: 'month',
    limit_usd: usd(1),
    spent_usd: usd(1),
    exhausted: true,
  });
  const { id } = data[0];
  expect((await readBudget(id)).target).toBe(capped.id);
  for (const change of [admin('PATCH', `/budgets/${id}`, { limit_usd: 5 }), remove(id)])
    expect((await change).body.error.message).toContain(capped.id);
});

test('owners manage the budgets of their organization except those of operators', async () => {
  const invited = await owner.call(`/operator/accounts/${account}/invitations`, {
    body: { email: 'viewer@ours.example', role: 'viewer' },
  });
  const invitation = decodeURIComponent(invited.body.link.split('#token=')[1]!);
  await callDashboard(server, '/session/sign-up', {
    body: { email: 'viewer@ours.example', name: 'Viewer', password: PASSWORD, invitation },
  });
  const viewer = await signInWithPassword(server, 'viewer@ours.example');
  const path = `/organizations/${account}/budgets`;
  const fields = { scope: 'member', target: person, window: 'month', limit_usd: 500 };
  expect((await viewer.call(path, { body: fields })).status).toBe(403);
  const made = await owner.call(path, { body: fields });
  expect({ status: made.status, owner: made.body.owner }).toEqual({ status: 201, owner: 'organization' });
  expect((await viewer.call(`${path}/${made.body.id}/spend`)).body.data[0]).toMatchObject({ target: person });
  const ofOperator = await createBudget({ scope: 'organization', window: 'month', limit_usd: 500 });
  const changed = await owner.call(`${path}/${ofOperator.id}`, { method: 'PATCH', body: { limit_usd: 1 } });
  expect({ status: changed.status, code: changed.body.error.code }).toEqual({
    status: 403,
    code: 'permission_denied',
  });
  expect((await viewer.call(path)).body.data.map(({ id }: Json) => id)).toContain(ofOperator.id);
  const other = await server.createKey('max');
  const foreign = await admin('POST', '/budgets', {
    account_id: other.account,
    scope: 'key',
    window: 'day',
    limit_usd: 1,
  });
  expect((await owner.call(`${path}/${foreign.body.id}`)).status).toBe(404);
  for (const { id } of [made.body, ofOperator, foreign.body]) await remove(id);
  const { data } = (await admin('GET', `/audit?target=${made.body.id}`)).body;
  expect(data.map(({ action }: Json) => action)).toEqual(['budget-remove', 'budget-create']);
});

test('an item of a batch gets the refusal as its error', async () => {
  const budget = await createBudget({ scope: 'organization', window: 'month', limit_usd: 1_000 });
  const params = messagesBody('test-small', { max_tokens: 20 });
  const sent = {
    requests: Array.from({ length: 3 }, (_, index) => ({ custom_id: `item-${index}`, params })),
  };
  const limit_usd = budget.spent_usd + usd(0.5);
  await admin('PATCH', `/budgets/${budget.id}`, { limit_usd });
  const created = await server.call('/v1/messages/batches', { headers: messagesKey, body: sent });
  expect(created.status).toBe(200);
  const read = () => server.call(`/v1/messages/batches/${created.body.id}`, { headers: messagesKey });
  await waitFor(async () => (await read()).body.processing_status === 'ended');
  const results = await server.call(`/v1/messages/batches/${created.body.id}/results`, {
    headers: messagesKey,
  });
  const lines = results.text.trim().split('\n');
  expect(lines).toHaveLength(3);
  for (const line of lines) {
    expect(line).toContain('key_budget_exhausted');
    expect(line).toContain(budget.id);
  }
  expect((await readBudget(budget.id)).spent_usd).toBe(budget.spent_usd);
  await remove(budget.id);
});

test('a charge on purchased credit never exceeds what was held of a budget, whatever the provider reports', async () => {
  const paying = await server.createKey('payg');
  await server.purchase(paying.account, 5);
  const limit_usd = 0.002;
  const { body: budget } = await admin('POST', '/budgets', {
    account_id: paying.account,
    scope: 'key',
    window: 'month',
    limit_usd,
  });
  upstream.answer('hidden-test-small', answerWithUsage(1_000_000, 8_000));
  const open = chatBody('test-small');
  expect((await ask(server, paying, open)).status).toBe(200);
  expect((await ask(server, paying, open)).body.error.budget).toMatchObject({ id: budget.id });
  expect(await readBudget(budget.id)).toMatchObject({ spent_usd: limit_usd, held_usd: 0, exhausted: true });
  const [charge] = await usageEntries(server, paying.account);
  const { text } = await admin('GET', `/ledger/entries/${charge.id}`);
  expect({ microcredits: charge.microcredits, text }).toEqual({
    microcredits: limit_usd * 5e8,
    text: expect.stringContaining('"shortfall_reason":"budget"'),
  });
  expect(await faults()).toEqual([]);
});
