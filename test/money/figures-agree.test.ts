import { afterAll, expect, test } from 'bun:test';
import { signInAsOperator } from '../dashboard/sign-in.ts';
import { answerWithUsage } from '../support/answer-with-usage.ts';
import { bearer, chatBody, type Json } from '../support/call.ts';
import { usageEntries } from '../support/ledger-entries.ts';
import { startRecordingUpstream } from '../support/recording-upstream.ts';
import { sampleModel } from '../support/sample-config.ts';
import { startServer } from '../support/start-server.ts';
import { waitFor } from '../support/wait-for.ts';
import { wideLimits } from '../support/wide-limits.ts';

const upstream = startRecordingUpstream();
/** Prices whose products are fractions of micro-credits. */
const pricing_usd_per_mtok = { input: 0.333_337, output: 1.777_773, cached_input: 0.111_119 };
const server = await startServer({
  config: {
    plans: wideLimits,
    providers: [{ id: 'odd', wire: 'openai-chat', base_url: upstream.url, api_key: 'k' }],
    catalog: {
      default: false,
      models: ['one', 'two'].map((id) =>
        sampleModel(id, { pricing_usd_per_mtok, routes: [{ provider: 'odd', model: `${id}-up` }] }),
      ),
    },
  },
});
afterAll(() => Promise.all([server.stop(), upstream.stop()]));
upstream.answer('one-up', answerWithUsage(1_237, 41, { cached: 211 }));
upstream.answer('two-up', answerWithUsage(7, 3));

const owner = await signInAsOperator(server);
const account: string = (await owner.call('/session')).body.organizations[0].id;
const at = `/organizations/${account}`;
const USD_PER_MICROCREDIT = 0.002 / 1e6;
const microcreditsOf = (usd: number): number => Math.round(usd / USD_PER_MICROCREDIT);
const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0);

test('receipts, lists, pages, exports, statements, budgets and the ledger agree to the micro-credit', async () => {
  const key = await server.createKey('enterprise', { account });
  const made = await server.admin('POST', '/budgets', {
    account_id: account,
    scope: 'key',
    target: key.id,
    window: 'month',
    limit_usd: 100,
  });
  const messages = [{ role: 'user', content: 'hi' }];
  const bodies: [path: string, body: (model: string) => Json][] = [
    ['/v1/chat/completions', (model) => chatBody(model, { max_tokens: 50 })],
    ['/v1/chat/completions', (model) => chatBody(model, { max_tokens: 50, stream: true, user: 'ada' })],
    ['/v1/messages', (model) => ({ model, max_tokens: 50, messages })],
    ['/v1/responses', (model) => ({ model, max_output_tokens: 50, input: 'hi' })],
  ];
  const ids: string[] = [];
  for (let round = 0; round < 3; round++)
    for (const [path, bodyOf] of bodies)
      for (const model of ['one', 'two']) {
        const headers = path === '/v1/messages' ? { 'x-api-key': key.key } : bearer(key.key);
        const answer = await server.call(path, { headers, body: bodyOf(model) });
        expect({ path, status: answer.status }).toEqual({ path, status: 200 });
        ids.push(answer.headers.get('x-svc-request-id')!);
      }
  const receipts: Json[] = [];
  for (const id of ids) {
    await waitFor(async () => (await owner.call(`${at}/requests/${id}`)).status === 200);
    const [receipt, cost, record] = await Promise.all([
      server.call(`/v1/usage/${id}`, { headers: bearer(key.key) }),
      server.admin('GET', `/requests/${id}/cost`),
      owner.call(`${at}/requests/${id}`),
    ]);
    const { microcredits } = receipt.body;
    expect(microcredits).toBeGreaterThan(0);
    expect(cost.body.microcredits).toBe(microcredits);
    expect(Math.ceil(sumOf(cost.body.lines.map((line: Json) => line.microcredits)) - 1e-6)).toBe(
      microcredits,
    );
    expect(JSON.stringify(record.body)).toContain(`"microcredits":${microcredits}`);
    receipts.push(receipt.body);
  }
  const whole = sumOf(receipts.map(({ microcredits }) => microcredits));

  const charges = await usageEntries(server, account);
  expect(charges).toHaveLength(ids.length);
  expect(sumOf(charges.map(({ microcredits }) => Math.abs(microcredits)))).toBe(whole);

  const usage = (await owner.call(`${at}/usage`)).body;
  expect(usage.totals).toMatchObject({ requests: ids.length, microcredits: whole });
  const [header, ...lines] = (await owner.call(`${at}/usage/csv?step=day`)).text.trim().split('\r\n');
  const column = header!.split(',').indexOf('microcredits') - header!.split(',').length;
  expect(sumOf(lines.map((line) => Number(line.split(',').at(column))))).toBe(whole);

  const month = new Date().toISOString().slice(0, 7);
  const statement = (await owner.call(`${at}/billing/statements/${month}/csv`)).text.trim().split('\r\n');
  const rows = statement.map((line) => line.split(',')).filter(([, kind]) => kind === 'usage');
  const fields = statement[0]!.split(',');
  const numbers = (name: string) => rows.map((row) => Number(row[fields.indexOf(name)]));
  expect(sumOf(numbers('credits').map((credits) => Math.round(-credits * 1e6)))).toBe(whole);
  expect(sumOf(numbers('requests'))).toBe(ids.length);
  // The sums by model are those of the ledger, and the page shows the same as the file.
  for (const model of ['one', 'two']) {
    const ofModel = receipts.filter((receipt) => receipt.model === model);
    const row = rows.find((cells) => cells[fields.indexOf('model')] === model)!;
    expect(Math.round(-Number(row[fields.indexOf('credits')]) * 1e6)).toBe(
      sumOf(ofModel.map(({ microcredits }) => microcredits)),
    );
  }
  const printed = (await owner.call(`${at}/billing/statements/${month}`)).text;
  const shownCredits = (whole / 1e6).toLocaleString('en-US', { maximumFractionDigits: 6 });
  expect(printed).toContain(`<dt>Usage</dt><dd>${shownCredits} credits (`);

  // Reads of receipts are requests too, without a cost.
  const costs = async (): Promise<number[]> =>
    (await owner.call(`${at}/requests?limit=100`)).body.data.flatMap(
      ({ cost_microcredits: cost }: Json) => cost ?? [],
    );
  await waitFor(async () => (await costs()).length === ids.length);
  expect(sumOf(await costs())).toBe(whole);

  const budget = (await server.admin('GET', `/budgets/${made.body.id}`)).body;
  expect({ microcredits: microcreditsOf(budget.spent_usd), held_usd: budget.held_usd }).toEqual({
    microcredits: whole,
    held_usd: 0,
  });
  const shown = (await owner.call(`${at}/keys/${key.id}`)).body;
  expect(microcreditsOf(shown.month_spent_usd)).toBe(whole);
  const balance = await server.readAccount(account);
  expect(Math.round(balance.credits.used * 1e6)).toBe(whole);

  const traffic = async (): Promise<Json> =>
    (await server.admin('GET', `/traffic?account=${account}&group_by=model`)).body;
  await waitFor(async () => microcreditsOf((await traffic()).totals.revenue_usd) >= whole);
  const { totals, data } = await traffic();
  expect(microcreditsOf(totals.revenue_usd)).toBe(whole);
  expect(sumOf(data.map(({ revenue_usd }: Json) => microcreditsOf(revenue_usd)))).toBe(whole);
  const ours = (await owner.call(`${at}/traffic`)).body;
  expect(microcreditsOf(ours.totals.revenue_usd)).toBe(whole);
  expect(await server.ledgerFaults()).toEqual([]);
});
