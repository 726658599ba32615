import { afterAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addToCharges } from '../support/add-to-charges.ts';
import { answerWithUsage } from '../support/answer-with-usage.ts';
import { isOnPostgres } from '../support/postgres/database-of.ts';
import { startRecordingUpstream } from '../support/recording-upstream.ts';
import { sampleConfig } from '../support/sample-config.ts';
import { runProgram } from '../support/spawn-program.ts';
import { type CreatedKey, startServer } from '../support/start-server.ts';
import { startWebhook, WEBHOOK_SECRET } from '../support/start-webhook.ts';
import { waitFor } from '../support/wait-for.ts';
import { wideCatalog } from '../support/wide-catalog.ts';
import { wideLimits } from '../support/wide-limits.ts';

const SMALL = 'test-small';
/** The disk of a Postgres server is not visible, so its database has a largest size. */
const lowSpace = { min_free_mb: 1_048_576, ...(isOnPostgres && { max_database_mb: 10_000 }) };
const MONTH_S = 32 * 86_400;

const directory = mkdtempSync(join(tmpdir(), 'tollgate-alerts-'));
const upstream = startRecordingUpstream();
const webhook = startWebhook();
const caps = startWebhook('another-secret');
const base = { ...sampleConfig(upstream.url, wideCatalog), plans: wideLimits, pricing: { unpriced: 'pass' } };
const all = { url: webhook.url, secret: WEBHOOK_SECRET };
const onlyCaps = { url: caps.url, secret: 'another-secret', events: ['cap_100'] };
const config = { ...base, alerts: { webhooks: [all, onlyCaps] } };
const options = { config, dataDirectory: directory, environment: { TOLLGATE_TEST_CLOCK: '1' } };
let server = await startServer(options);
afterAll(async () => {
  await server.stop();
  await Promise.all([upstream.stop(), webhook.stop(), caps.stop()]);
  rmSync(directory, { recursive: true, force: true });
});

const setUsage = (...usage: Parameters<typeof answerWithUsage>) =>
  upstream.answer('hidden-test-small', answerWithUsage(...usage));
const chat = ({ key }: CreatedKey, fields: object = { max_tokens: 1 }) =>
  server.chat(key, SMALL, { ...fields });
const chatWell = async (key: CreatedKey) => expect((await chat(key)).status).toBe(200);
const listed = async () => (await server.admin('GET', '/alerts?limit=1000')).body.data;
const about = (event: string, id: string) =>
  webhook.of(event).filter(({ data }) => JSON.stringify(data).includes(id));

/** A test alert can be sent once a minute. */
const minute = () => server.admin('POST', '/test/clock', { advance_s: 60 });

describe('a test alert', () => {
  test('reaches every webhook, signed with its secret, and shows the results', async () => {
    const { status, body } = await server.admin('POST', '/alerts/test');
    expect({ status, event: body.event, severity: body.severity }).toEqual({
      status: 200,
      event: 'test',
      severity: 'info',
    });
    expect(body.deliveries).toHaveLength(2);
    for (const delivery of body.deliveries)
      expect(delivery).toMatchObject({
        state: 'delivered',
        attempts: 1,
        status: 200,
        next_attempt_at: null,
        error: null,
      });
    expect(body.deliveries.map(({ host }: { host: string }) => host).sort()).toEqual(
      [webhook.origin, caps.origin].sort(),
    );
    expect({ webhook: webhook.received.at(-1)!.isSigned, caps: caps.received.at(-1)!.isSigned }).toEqual({
      webhook: true,
      caps: true,
    });
    const { deliveries: _, ...sent } = body;
    expect(webhook.received.at(-1)!.body).toEqual(sent);
    expect((await listed())[0]).toEqual(body);
    expect((await server.admin('GET', '/audit?limit=1')).body.data[0]).toMatchObject({
      action: 'alert-test',
      target: body.id,
    });
  });

  test('is sent by the command line, which fails if a webhook refuses it', async () => {
    const run = (...args: string[]) => runProgram(['alert', ...args, '--data', directory]);
    const early = await run('test');
    expect(early).toMatchObject({ code: 1, stderr: expect.stringContaining('once a minute') });
    await minute();
    const accepted = await run('test');
    expect(accepted.code).toBe(0);
    expect(accepted.stdout.match(/delivered/g)).toEqual(['delivered', 'delivered']);
    await minute();
    caps.answer(() => new Response('', { status: 500 }));
    const refused = await run('test', '--json');
    caps.answer(() => new Response(''));
    expect(refused.code).toBe(1);
    expect(
      JSON.parse(refused.stdout)
        .deliveries.map(({ state }: { state: string }) => state)
        .sort(),
    ).toEqual(['delivered', 'waiting']);
    const list = await run('list', '--limit', '1');
    expect(list).toMatchObject({ code: 0, stdout: expect.stringMatching(/test +info/) });
  });
});

describe('the list', () => {
  test('has pages, and refuses what it does not know', async () => {
    const first = (await server.admin('GET', '/alerts?limit=1')).body;
    expect({ length: first.data.length, has_more: first.has_more }).toEqual({ length: 1, has_more: true });
    const next = (await server.admin('GET', `/alerts?limit=1&after=${first.last_id}`)).body;
    expect(next.data[0].id).not.toBe(first.last_id);
    for (const query of ['after=alrt_none', 'limit=0', 'event=test'])
      expect((await server.admin('GET', `/alerts?${query}`)).status).toBe(400);
  });
});

describe("a key's cap", () => {
  let key: CreatedKey;

  test('is reported at 80 % and at 100 %, once each', async () => {
    key = await server.createKey('pro', { monthly_cap_usd: 0.02, name: 'ci' }); // 10 credits
    setUsage(15_000, 0);
    await chatWell(key);
    expect(about('cap_80', key.id)).toEqual([]); // 75 %
    setUsage(1_000, 0);
    await chatWell(key);
    await waitFor(() => about('cap_80', key.id).length === 1);
    setUsage(1_000, 0);
    await chatWell(key);
    setUsage(4_000, 0);
    await chatWell(key);
    await waitFor(() => about('cap_100', key.id).length === 1);
    expect((await chat(key)).status).toBe(402);
    expect(about('cap_80', key.id)[0]).toMatchObject({
      severity: 'warning',
      data: {
        account_id: key.account,
        account_name: 'pro',
        key_id: key.id,
        key_name: 'ci',
        spent_usd: 0.016,
        cap_usd: 0.02,
      },
    });
    expect(about('cap_100', key.id)[0]).toMatchObject({ severity: 'critical', data: { spent_usd: 0.02 } });
    await caps.arrives('cap_100');
    expect(caps.of('cap_80')).toEqual([]); // it did not ask for this event
  });

  test('is reported once a month, even after a restart', async () => {
    await server.stop();
    server = await startServer(options);
    expect((await chat(key)).status).toBe(402);
    const other = await server.createKey('pro', { monthly_cap_usd: 0.002 });
    setUsage(2_000, 0);
    // Alerts are sent in order, so that one about the first key would have arrived by then.
    await chatWell(other);
    await waitFor(() => about('cap_100', other.id).length === 1);
    expect(about('cap_80', key.id)).toHaveLength(1);
    expect(about('cap_100', key.id)).toHaveLength(1);
    await server.admin('POST', '/test/clock', { advance_s: MONTH_S });
    setUsage(20_000, 0);
    await chatWell(key);
    await waitFor(() => about('cap_100', key.id).length === 2 && about('cap_80', key.id).length === 2);
  });
});

describe('low credits', () => {
  test('are reported once a cycle, at the share of the configuration', async () => {
    const key = await server.createKey('launch');
    const { credits } = (await server.admin('GET', `/accounts/${key.account}`)).body;
    setUsage(Math.round(credits.limit * 0.85) * 2_000, 0);
    await chatWell(key);
    setUsage(Math.round(credits.limit * 0.06) * 2_000, 0);
    await chatWell(key);
    await chatWell(key);
    await waitFor(() => about('credits_low', key.account).length > 0);
    const [alert] = about('credits_low', key.account);
    expect(alert.data).toMatchObject({ balance: 'monthly', credits_given: credits.limit });
    expect(alert.data.left_share).toBeGreaterThan(0.05);
    expect(alert.data.left_share).toBeLessThan(0.1);
    await server.admin('POST', '/alerts/test');
    expect(about('credits_low', key.account)).toHaveLength(1);
  });

  test('of purchases are reported after each purchase, as a share of the balance that it made', async () => {
    const key = await server.createKey('payg');
    await server.purchase(key.account, 2); // 1,000 credits
    setUsage(920 * 2_000, 0);
    await chatWell(key);
    await waitFor(() => about('credits_low', key.account).length === 1);
    expect(about('credits_low', key.account)[0].data).toMatchObject({
      balance: 'purchased',
      credits_given: 1_000,
      credits_left: 80,
    });
    await server.purchase(key.account, 2); // 1,080 credits
    setUsage(900 * 2_000, 0);
    await chatWell(key); // 180 left
    setUsage(100 * 2_000, 0);
    await chatWell(key); // 80 left
    await waitFor(() => about('credits_low', key.account).length === 2);
    expect(about('credits_low', key.account)[1].data).toMatchObject({
      credits_given: 1_080,
      credits_left: 80,
    });
  });
});

describe('an upstream', () => {
  test('that reports more tokens than a request can use is reported', async () => {
    const key = await server.createKey('enterprise');
    setUsage(7, 50_000);
    await chatWell(key);
    await webhook.arrives('unpriced_usage');
    expect(webhook.of('unpriced_usage')[0].data).toMatchObject({
      reason: 'implausible_usage',
      provider: 'hidden-openai-chat',
    });
  });

  test('that gets a member without a price is reported', async () => {
    const key = await server.createKey('enterprise');
    setUsage(7, 3);
    expect((await chat(key, { service_tier: 'flex' })).status).toBe(200);
    await webhook.arrives('unpriced_usage', 2);
    expect(webhook.of('unpriced_usage')[1].data).toMatchObject({ reason: 'unpriced_request' });
  });

  test('that refuses its key is reported, and one that is down', async () => {
    const key = await server.createKey('enterprise');
    upstream.answer('hidden-test-google', () => new Response('{}', { status: 500 }));
    const wrongKey = { error: { message: 'Wrong key.' } };
    upstream.answer('hidden-test-messages', () => Response.json(wrongKey, { status: 401 }));
    for (let count = 0; count < 4; count++) {
      await server.chat(key.key, 'test-google');
      await server.chat(key.key, 'test-messages');
    }
    await Promise.all([webhook.arrives('provider_key_refused'), webhook.arrives('provider_down')]);
    expect(webhook.of('provider_key_refused').map(({ data }) => data)).toEqual([
      {
        provider: 'hidden-anthropic-messages',
        cause: 'key_refused',
        since: expect.any(String),
        model: 'hidden-test-messages',
        status: 401,
        reason: 'Wrong key.',
      },
    ]);
    const down = webhook.of('provider_down').find(({ data }) => data.provider === 'hidden-google-generate');
    expect(down.data).toMatchObject({ cause: 'errors', model: 'hidden-test-google', status: 500 });
  });
});

describe('deliveries', () => {
  test('are repeated after a restart with the same body and the same id', async () => {
    webhook.answer(() => new Response('', { status: 503 }));
    await minute();
    const { id, deliveries } = (await server.admin('POST', '/alerts/test')).body;
    expect(deliveries.map(({ state }: { state: string }) => state).sort()).toEqual(['delivered', 'waiting']);
    expect((await server.call('/metrics')).text).toMatch(/tollgate_alert_deliveries_waiting [1-9]/);
    await server.stop();
    await addToCharges(directory, 1);
    webhook.answer(() => new Response(''));
    server = await startServer(options);
    const tries = () => webhook.received.filter(({ body }) => body.id === id);
    await waitFor(async () =>
      (await server.admin('GET', '/alerts?limit=1')).body.data[0].deliveries.every(
        ({ state }: { state: string }) => state === 'delivered',
      ),
    );
    expect(tries().length).toBeGreaterThan(1);
    expect(new Set(tries().map(({ text }) => text)).size).toBe(1);
    expect(tries().every(({ isSigned }) => isSigned)).toBe(true);
    expect(caps.received.filter(({ body }) => body.id === id)).toHaveLength(1);
    expect((await server.call('/metrics')).text).toContain(
      'tollgate_alert_deliveries_total{outcome="delivered"} 1\n',
    );
  });

  test('report a fault that a verification of the ledger finds', async () => {
    expect((await server.admin('GET', '/ledger/verify')).body.faults.length).toBeGreaterThan(0);
    await webhook.arrives('ledger_fault');
    expect(webhook.of('ledger_fault')[0]).toMatchObject({
      severity: 'critical',
      data: { faults: expect.any(Array) },
    });
  });

  test('follow a reload: a webhook that is removed gets nothing more, and a low disk is reported', async () => {
    const before = caps.received.length;
    server.configure({ ...base, alerts: { webhooks: [all] }, store: lowSpace });
    expect((await server.reload()).body.restart_needed).toEqual([]);
    await webhook.arrives('disk_low');
    expect(webhook.of('disk_low')[0].data).toMatchObject({ min_free_mb: 1_048_576 });
    // The restart above has set the clock back.
    await server.admin('POST', '/test/clock', { advance_s: 4 * MONTH_S });
    expect((await server.admin('POST', '/alerts/test')).body.deliveries).toHaveLength(1);
    expect(caps.received.length).toBe(before);
    server.configure(base);
    await server.reload();
    const { status, body } = await server.admin('POST', '/alerts/test');
    expect({ status, message: body.error.message }).toEqual({
      status: 400,
      message: expect.stringContaining('alerts.webhooks'),
    });
  });

  test('show neither secrets nor the addresses of webhooks', async () => {
    const shown =
      server.log() + server.errors() + JSON.stringify(await listed()) + (await server.call('/metrics')).text;
    expect(shown).toContain(webhook.origin);
    for (const secret of ['hidden-path', 'hidden-query', 'hidden-secret', 'another-secret'])
      expect(shown).not.toContain(secret);
  });
});
