import { afterAll, describe, expect, test } from 'bun:test';
import { bearer, type Json } from '../support/call.ts';
import { type DialectName, memberDialects, startMemberServer } from '../support/start-member-server.ts';

// Members and hosted tools with a price in the model's row: they reach the provider,
// and the account pays for them.

const extras_usd = {
  web_search: 10,
  image_generation: 40,
  cache_write_1h: 2,
  cache_write_12h: 3,
  audio_output: 64,
  fast: 6,
  priority: 2,
  flex: 0.5,
  inference_geo: 1.1,
};
const { server, upstream, key, sent, ask, expectRefused, stop } = await startMemberServer({
  priced: { model: { extras_usd } },
  plain: {},
});
afterAll(stop);

const hour = { type: 'ephemeral', ttl: '1h' };
const search = { type: 'web_search_20250305', name: 'web_search', max_uses: 3 };
const own = (name: DialectName) => `priced-${memberDialects[name].own}`;

describe('a member with a price', () => {
  test.each<[DialectName, Json]>([
    ['chat', { service_tier: 'priority' }],
    ['responses', { service_tier: 'flex' }],
    ['responses', { service_tier: 'fast' }],
    ['messages', { speed: 'fast' }],
    ['messages', { inference_geo: 'us' }],
    ['messages', { cache_control: hour }],
    ['chat', { prompt_cache_options: { mode: 'implicit', ttl: '12h' } }],
    ['chat', { modalities: ['text', 'audio'], audio: { voice: 'a', format: 'wav' } }],
    ['chat', { web_search_options: {} }],
    ['messages', { tools: [search] }],
    ['messages', { tools: [search], tool_choice: { type: 'tool', name: 'web_search' } }],
    ['responses', { tools: [{ type: 'web_search' }, { type: 'image_generation' }] }],
  ])('reaches the provider on %s: %j [CHT-22]', async (name, fields) => {
    const { body, losses } = await sent(name, own(name), fields);
    expect({ body, losses }).toMatchObject({ body: fields, losses: null });
  });

  test('keeps the beta that it needs [CHT-22]', async () => {
    const beta = 'fast-mode-2026-02-01';
    const { headers, losses } = await sent(
      'messages',
      own('messages'),
      { speed: 'fast' },
      { 'anthropic-beta': beta },
    );
    expect({ anthropicBeta: headers.get('anthropic-beta'), losses }).toEqual({
      anthropicBeta: beta,
      losses: null,
    });
  });

  test('is not counted as unpriced [CHT-22]', async () => {
    await sent('messages', own('messages'), { speed: 'fast', tools: [search] });
    expect((await server.call('/metrics')).text).not.toContain('tollgate_unpriced_requests_total{');
  });

  test('does not open values and tools without a price [CHT-22]', async () => {
    const { body, losses } = await sent('chat', own('chat'), { service_tier: 'scale' });
    expect({ service_tier: body.service_tier, losses }).toEqual({
      service_tier: undefined,
      losses: 'service-tier',
    });
    const day = await sent('chat', own('chat'), { prompt_cache_options: { ttl: '24h' } });
    expect(day.losses).toBe('cache-retention');
    const code = { type: 'code_interpreter', container: { type: 'auto' } };
    const tools = await sent('responses', own('responses'), { tools: [code, { type: 'web_search' }] });
    expect({ tools: tools.body.tools, losses: tools.losses }).toEqual({
      tools: [{ type: 'web_search' }],
      losses: 'code-execution',
    });
  });

  test('of one model does not open another model [CHT-22]', async () => {
    const answer = await ask('messages', 'plain-anthropic-messages', { inference_geo: 'us' });
    expect(expectRefused(answer, 422, 'inference_geo')).toContain('(inference_geo)');
    const forced = await ask('messages', 'plain-anthropic-messages', {
      tools: [search],
      tool_choice: { type: 'tool', name: 'web_search' },
    });
    expect(expectRefused(forced, 422, 'tool_choice')).toContain('web_search');
  });
});

const USD = 500_000_000;
async function chargeOf(caller: { key: string }, name: DialectName, fields: Json): Promise<Json> {
  const { path, base } = memberDialects[name];
  const answer = await server.call(path, {
    headers: bearer(caller.key),
    body: { model: own(name), ...base, ...fields },
  });
  expect({ status: answer.status, message: answer.body?.error?.message }).toEqual({
    status: 200,
    message: undefined,
  });
  const id = answer.headers.get('x-svc-request-id')!;
  return (await server.call(`/v1/usage/${id}`, { headers: bearer(caller.key) })).body;
}

const usage = { input_tokens: 1_000, output_tokens: 50 };
const answerWith = (reported: object) => () =>
  Response.json({
    id: 'x',
    type: 'message',
    role: 'assistant',
    model: 'x',
    stop_reason: 'end_turn',
    content: [{ type: 'text', text: 'word' }],
    stop_sequence: null,
    usage: { ...usage, ...reported },
  });

describe('the charge', () => {
  const plain = (1_000 + 50 * 4) / 1e6;
  const charged = async (reported: object, fields: Json): Promise<number> => {
    upstream.answer('hidden-priced-anthropic-messages', answerWith(reported));
    return (await chargeOf({ key }, 'messages', fields)).microcredits / USD;
  };

  test('is multiplied if the upstream served what was asked', async () => {
    expect(await charged({ speed: 'fast' }, { speed: 'fast' })).toBeCloseTo(plain * 6, 9);
    expect(await charged({ speed: 'standard' }, { speed: 'fast' })).toBeCloseTo(plain, 9);
    expect(await charged({ speed: 'fast' }, {})).toBeCloseTo(plain, 9);
    expect(await charged({ inference_geo: 'us' }, { inference_geo: 'us' })).toBeCloseTo(plain * 1.1, 9);
  });

  test('has a search that the upstream does not count', async () => {
    const { microcredits, prices } = await chargeOf({ key }, 'chat', { web_search_options: {} });
    expect(microcredits / USD).toBeCloseTo((7 + 3 * 4) / 1e6 + 0.01, 9);
    expect(prices).toContainEqual(expect.objectContaining({ kind: 'web_search', calls: 1 }));
  });

  test('is held before the request is sent', async () => {
    const buyer = await server.createKey('payg');
    const given = { credits: 1_000, balance: 'purchased', reason: 'a test' };
    expect((await server.admin('POST', `/accounts/${buyer.account}/adjustments`, given)).status).toBe(201);
    upstream.answer(
      'hidden-priced-anthropic-messages',
      answerWith({ server_tool_use: { web_search_requests: 3 } }),
    );
    const body = { tools: [search], max_tokens: 100 };
    const { held_microcredits: held, microcredits } = await chargeOf(buyer, 'messages', body);
    expect(microcredits).toBeGreaterThan(0.03 * USD);
    expect(held).toBeGreaterThanOrEqual(microcredits);
  });
});

test('a quote has the prices that the request asks for', async () => {
  const quote = async (fields: Json, endpoint = '/v1/chat/completions'): Promise<Json> => {
    const body = { model: own('messages'), ...memberDialects.messages.base, ...fields };
    const answer = await server.call(`/v1/quote?endpoint=${endpoint}`, { headers: bearer(key), body });
    expect({ status: answer.status, message: answer.body?.error?.message }).toEqual({
      status: 200,
      message: undefined,
    });
    return answer.body;
  };
  const costOf = ({ credits }: Json): number[] => [credits.lowest, credits.highest];
  const [lowest, highest] = costOf(await quote({}));
  // The member itself may count as some tokens of the prompt.
  expect(costOf(await quote({ speed: 'fast' }))[1]! / highest!).toBeWithin(6, 8);
  expect(costOf(await quote({ service_tier: 'flex' }))[0]).toBeCloseTo(lowest! / 2, 3);
  const searching = costOf(await quote({ tools: [search] }, '/v1/messages'))[1];
  expect(searching).toBeGreaterThan(highest! + (0.03 * USD) / 1e6 - 0.001);
});

const reserved = ['billing_policy', 'workspace_id', 'user_profile_id'] as const;

test.each(reserved)('%s needs the consent of the provider even with prices [CHT-21]', async (name) => {
  const value = name === 'billing_policy' ? { bill_to: 'x' } : 'x';
  expectRefused(await ask('messages', own('messages'), { [name]: value }), 422, name);
});

test.each([
  'anthropic-workspace-id',
  'anthropic-user-profile-id',
])('the header %s needs the consent of the provider [CHT-21]', async (name) => {
  expectRefused(await ask('messages', own('messages'), {}, { [name]: 'x' }), 422, name);
});
