import { afterAll, describe, expect, test } from 'bun:test';
import { bearer } from '../support/call.ts';
import { answerSlowly, startRecordingUpstream } from '../support/recording-upstream.ts';
import { startServer } from '../support/start-server.ts';
import { waitFor } from '../support/wait-for.ts';
import { ableModel } from '../support/wire-models.ts';

const upstream = startRecordingUpstream();
const routes = [{ provider: 'hidden-host', model: 'hidden-model' }];
const capabilities = { tools: false, reasoning: false, vision: false, documents: false };
const plain = { capabilities, reasoning_efforts: [], context_window: 2_000 };
const server = await startServer({
  config: {
    simulator: { mode: 'off' },
    limits: { queue_wait_s: 0.1 },
    plans: { free: { network_requests_per_min: null } },
    providers: [{ id: 'hidden-host', wire: 'openai-chat', base_url: upstream.url, max_concurrent: 1 }],
    catalog: {
      default: false,
      models: [
        ableModel('open', routes, plain),
        ableModel('shut', routes, { ...plain, plan: 'max' }),
        ableModel('another', routes),
        ableModel('held', [{ provider: 'hidden-host', model: 'hidden-held' }]),
      ],
    },
  },
});
afterAll(async () => {
  await server.stop();
  await upstream.stop();
});

type Dialect = { path: string; body: object; tool: object; says: (text: string) => object };
/** The difference of a request from one without a fault. */
type Difference = {
  pathEnd?: string;
  isRevoked?: boolean;
  isSuspended?: boolean;
  allowedModels?: string[];
  capUsd?: number;
  isSpent?: boolean;
  isBusy?: boolean;
  isPayg?: boolean;
  bodyEnd?: string;
  fields?: (dialect: Dialect) => object;
};
type Fault = Difference & { name: string; code: string };

const LONG = 'word '.repeat(4_000);
const HUGE = 'x'.repeat(11 * 1_048_576);

/** One fault for each stage, in the order of reporting. */
const faults: Fault[] = [
  { name: 'route', code: 'not_found', pathEnd: '/no/where' },
  { name: 'key', code: 'revoked_api_key', isRevoked: true },
  { name: 'account', code: 'account_suspended', isSuspended: true },
  { name: 'size', code: 'body_too_large', fields: () => ({ padding: HUGE }) },
  { name: 'JSON', code: 'invalid_json', bodyEnd: '}' },
  { name: 'field', code: 'invalid_request', fields: () => ({ temperature: 'warm' }) },
  { name: 'model', code: 'unknown_model', fields: () => ({ model: 'nothing-like-it' }) },
  { name: 'plan', code: 'plan_upgrade_required', fields: () => ({ model: 'shut' }) },
  { name: 'nothing purchased', code: 'paid_credit_required', isPayg: true },
  { name: 'allowed_models', code: 'permission_denied', allowedModels: ['another'] },
  { name: 'capability', code: 'route_not_qualified', fields: ({ tool }) => ({ tools: [tool] }) },
  { name: 'prompt size', code: 'context_length_exceeded', fields: ({ says }) => says(LONG) },
  { name: 'cap', code: 'key_budget_exhausted', capUsd: 0 },
  { name: 'rate limit', code: 'rate_limit_exceeded', isSpent: true },
  { name: 'capacity', code: 'capacity_unavailable', isBusy: true },
];

const schema = { type: 'object', properties: {} };
const turns = (content: string) => ({ messages: [{ role: 'user', content }] });
const dialects: Record<string, Dialect> = {
  'chat completions': {
    path: '/v1/chat/completions',
    body: turns('hi'),
    tool: { type: 'function', function: { name: 'weather', parameters: schema } },
    says: turns,
  },
  messages: {
    path: '/v1/messages',
    body: { max_tokens: 99, ...turns('hi') },
    tool: { name: 'weather', input_schema: schema },
    says: turns,
  },
  responses: {
    path: '/v1/responses',
    body: { input: 'hi' },
    tool: { type: 'function', name: 'weather', parameters: schema },
    says: (input) => ({ input }),
  },
};

async function ask(dialect: Dialect, committed: readonly Fault[]) {
  const { pathEnd = '', bodyEnd = '', ...asked }: Difference = Object.assign({}, ...committed);
  const body = { model: 'open', ...dialect.body };
  for (const { fields } of committed) Object.assign(body, fields?.(dialect));
  const { account, id, key } = await server.createKey('free', {
    allowed_models: asked.allowedModels ?? null,
    monthly_cap_usd: asked.capUsd ?? null,
  });
  if (asked.isSpent) await spendMinute(account);
  if (asked.isRevoked) await server.admin('DELETE', `/keys/${id}`);
  if (asked.isSuspended) await server.admin('PATCH', `/accounts/${account}`, { status: 'suspended' });
  const call = () =>
    server.call(dialect.path + pathEnd, {
      headers: { ...bearer(key), ...(asked.isPayg && { 'x-svc-payment-mode': 'payg' }) },
      body: JSON.stringify(body) + bodyEnd,
    });
  return asked.isBusy ? whileBusy(call) : call();
}

/** Uses up the account's requests of a minute with another key. */
async function spendMinute(account: string): Promise<void> {
  await server.admin('PATCH', `/accounts/${account}`, { plan_overrides: { requests_per_min: 1 } });
  const { key } = await server.createKey('free', { account });
  expect((await server.chat(key, 'open')).status).toBe(200);
}

const { key: holdersKey } = await server.createKey('enterprise');

/** Calls while the only slot that the host has is taken. */
async function whileBusy<Result>(call: () => Promise<Result>): Promise<Result> {
  const { answer, release } = answerSlowly();
  upstream.answer('hidden-held', answer);
  upstream.forget();
  const holder = server.chat(holdersKey, 'held', { stream: true });
  await waitFor(() => upstream.models().includes('hidden-held'));
  const result = await call();
  release();
  expect((await holder).text).toEndWith('data: [DONE]\n\n');
  return result;
}

/** An unknown model is in no plan, and pay-as-you-go mode needs no plan. */
const canMeet = (one: Fault, other: Fault) =>
  !(one.name === 'model' && other.name === 'plan') &&
  !(one.name === 'plan' && other.name === 'nothing purchased');

for (const [name, dialect] of Object.entries(dialects)) {
  describe(`with two faults in ${name}`, () => {
    test('each single fault is reported', async () => {
      expect((await ask(dialect, [])).status).toBe(200);
      for (const fault of faults) {
        const { headers } = await ask(dialect, [fault]);
        expect({ name: fault.name, code: headers.get('x-svc-error-code') }).toEqual({
          name: fault.name,
          code: fault.code,
        });
      }
    });

    test.each(faults.slice(0, -1))('$name precedes all later faults [ERR-46]', async (first) => {
      for (const second of faults.slice(faults.indexOf(first) + 1)) {
        if (!canMeet(first, second)) continue;
        // The second fault is applied first, so the first one wins where both change a field.
        const { headers } = await ask(dialect, [second, first]);
        const pair = `${first.name}, ${second.name}`;
        expect({ pair, code: headers.get('x-svc-error-code') }).toEqual({ pair, code: first.code });
      }
    });
  });
}
