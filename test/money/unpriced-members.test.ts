import { afterAll, describe, expect, test } from 'bun:test';
import { extras } from '../../src/translation/canonical/extra.ts';
import { bearer, type Json } from '../support/call.ts';
import {
  type DialectName,
  dialectNames,
  type Fields,
  memberDialects,
  startMemberServer,
} from '../support/start-member-server.ts';
import { waitFor } from '../support/wait-for.ts';

const allowing = { model: { allow_unpriced: extras } };
const { server, key, ask, sent, expectRefused, stop } = await startMemberServer({ plain: {}, allowing });
const passing = await startMemberServer({ plain: {} }, { pricing: { unpriced: 'pass' } });
afterAll(async () => {
  await stop();
  await passing.stop();
});

const strict = { 'x-svc-strict': 'true' };

const hour = { type: 'ephemeral', ttl: '1h' };
const plain = { type: 'ephemeral' };
const cached = (cache_control: Json) => [{ type: 'text', text: 'hi', cache_control }];

/** The requested member, its form at the upstream, and the listed loss. */
const preferences: readonly (readonly [
  dialects: readonly DialectName[],
  asked: Fields,
  left: Fields,
  loss: string,
  param: string | null,
])[] = [
  ...['flex', 'priority', 'scale', 'fast'].map(
    (service_tier) =>
      [['chat', 'responses', 'completions'], { service_tier }, {}, 'service-tier', 'service_tier'] as const,
  ),
  [dialectNames, { speed: 'fast' }, {}, 'speed', 'speed'],
  [
    ['chat', 'responses', 'completions'],
    { prompt_cache_retention: '24h' },
    {},
    'cache-retention',
    'prompt_cache_retention',
  ],
  [
    ['chat', 'responses'],
    { prompt_cache_options: { mode: 'implicit', ttl: '24h' } },
    { prompt_cache_options: { mode: 'implicit' } },
    'cache-retention',
    'prompt_cache_options',
  ],
  [dialectNames, { cache_control: hour }, { cache_control: plain }, 'cache-retention', 'cache_control'],
  [
    ['chat', 'messages'],
    { messages: [{ role: 'user', content: cached(hour) }] },
    { messages: [{ role: 'user', content: cached(plain) }] },
    'cache-retention',
    null,
  ],
  [['messages'], { system: cached(hour) }, { system: cached(plain) }, 'cache-retention', null],
  [
    ['messages'],
    { tools: [{ name: 'f', input_schema: { type: 'object' }, cache_control: hour }] },
    { tools: [{ name: 'f', input_schema: { type: 'object' }, cache_control: plain }] },
    'cache-retention',
    null,
  ],
  // The cache of an advisor's own prompt.
  [
    ['messages'],
    { tools: [{ name: 'f', input_schema: { type: 'object' }, caching: hour }] },
    { tools: [{ name: 'f', input_schema: { type: 'object' }, caching: plain }] },
    'cache-retention',
    null,
  ],
];

describe('an optional member that costs more than tokens', () => {
  for (const [of, asked, left, loss, param] of preferences) {
    for (const name of of) {
      const { own, other } = memberDialects[name];
      const title = JSON.stringify(asked).slice(0, 90);

      test(`is lowered and listed as a loss: ${title} on ${name} [CHT-22]`, async () => {
        const base = await sent(name, `plain-${own}`, {});
        const { body, losses } = await sent(name, `plain-${own}`, asked);
        expect(body).toEqual({ ...base.body, ...left });
        expect(losses).toBe(loss);
        const translated = await sent(name, `plain-${other}`, asked);
        expect(JSON.stringify(translated.body)).not.toMatch(/1h|24h|fast|flex|priority|scale/);
        expect(translated.losses!.split(', ')).toContain(loss);
      });

      test(`is refused to a strict client: ${title} on ${name} [CHT-22]`, async () => {
        const answer = await ask(name, `plain-${own}`, asked, strict);
        const { status, body, headers } = answer;
        expect({ status, code: headers.get('x-svc-error-code') }).toEqual({
          status: 422,
          code: 'route_not_qualified',
        });
        expect(body.error.message).toContain(loss);
        if (param !== null) expectRefused(answer, 422, param);
      });

      test(`passes if the model's row allows it: ${title} on ${name} [CHT-22]`, async () => {
        const { body, losses } = await sent(name, `allowing-${own}`, asked);
        expect({ body, losses }).toMatchObject({ body: asked, losses: null });
      });
    }
  }

  test('passes if it requests the default [CHT-22]', async () => {
    const idle = {
      service_tier: 'auto',
      speed: 'standard',
      prompt_cache_retention: 'in_memory',
      prompt_cache_options: { mode: 'explicit', ttl: '30m' },
      inference_geo: 'global',
      best_of: 1,
      cache_control: { type: 'ephemeral', ttl: '5m' },
      modalities: ['text'],
    };
    const { body, losses } = await sent('chat', 'plain-openai-chat', idle);
    expect({ body, losses }).toMatchObject({ body: idle, losses: null });
  });
});

const requirements: readonly (readonly [DialectName, Fields, price: string])[] = [
  ...dialectNames.map((name) => [name, { inference_geo: 'us' }, '(inference_geo)'] as const),
  ['chat', { modalities: ['text', 'audio'], audio: { voice: 'a', format: 'wav' } }, '(audio_output)'],
  ['chat', { modalities: ['image', 'text'] }, '(image_generation)'],
  ['chat', { web_search_options: {} }, '(web_search)'],
  ['chat', { search_parameters: { mode: 'auto' } }, '(web_search)'],
  ['chat', { enable_search: true }, '(web_search)'],
  ['responses', { multi_agent: { enabled: true, max_concurrent_subagents: 4 } }, 'no price'],
  ['completions', { best_of: 2 }, 'no price'],
  ['completions', { n: 2, best_of: 3 }, 'no price'],
];

describe('a required member that costs more than tokens', () => {
  for (const [name, fields, price] of requirements) {
    const { own, other } = memberDialects[name];
    const param = Object.keys(fields).find((member) => member !== 'n')!;
    test(`is refused by name and price: ${JSON.stringify(fields)} on ${name} [CHT-22]`, async () => {
      for (const wire of [own, other]) {
        const message = expectRefused(await ask(name, `plain-${wire}`, fields), 422, param);
        expect(message).toContain(price);
      }
      const { body, losses } = await sent(name, `allowing-${own}`, fields);
      expect({ body, losses }).toMatchObject({ body: fields, losses: null });
    });
  }
});

describe('a beta of the vendor that costs more', () => {
  const header = 'anthropic-beta';
  const value = 'context-management-2025-06-27,context-1m-2025-08-07, fast-mode-2026-02-01,later-2031-01-01';

  test('is removed from the header and listed as a loss [CHT-22]', async () => {
    const { headers, losses } = await sent('messages', 'plain-anthropic-messages', {}, { [header]: value });
    expect(headers.get(header)).toBe('context-management-2025-06-27, later-2031-01-01');
    expect(losses).toBe('long-context, speed');
    const alone = await sent(
      'messages',
      'plain-anthropic-messages',
      {},
      { [header]: 'Context-1M-2025-08-07' },
    );
    expect({ header: alone.headers.get(header), losses: alone.losses }).toEqual({
      header: null,
      losses: 'long-context',
    });
    const answer = await ask('messages', 'plain-anthropic-messages', {}, { [header]: value, ...strict });
    expect({ status: answer.status, code: answer.headers.get('x-svc-error-code') }).toEqual({
      status: 422,
      code: 'route_not_qualified',
    });
  });

  test('is removed from the body too [CHT-22]', async () => {
    for (const member of ['betas', 'anthropic_beta']) {
      const fields = { [member]: ['later-2031-01-01', 'context-1m-2025-08-07'] };
      const { body, losses } = await sent('messages', 'plain-anthropic-messages', fields);
      expect({ values: body[member], losses }).toEqual({
        values: ['later-2031-01-01'],
        losses: 'long-context',
      });
    }
  });

  test('is ignored on another protocol [CHT-22]', async () => {
    const { headers, losses } = await sent('messages', 'plain-openai-chat', {}, { [header]: value });
    expect({ header: headers.get(header), losses }).toEqual({ header: null, losses: null });
  });

  test("passes if the model's row allows it [CHT-22]", async () => {
    const { headers, losses } = await sent(
      'messages',
      'allowing-anthropic-messages',
      {},
      { [header]: value },
    );
    expect({ header: headers.get(header)!.split(/, ?/), losses }).toEqual({
      header: value.split(/, ?/),
      losses: null,
    });
  });
});

describe('pricing.unpriced: pass', () => {
  test('passes and counts all of these members [CHT-22]', async () => {
    const tools = [{ type: 'web_search_20250305', name: 'web_search' }];
    const fields = { speed: 'fast', inference_geo: 'us', tools, cache_control: hour };
    const { body, losses, answer } = await passing.sent('messages', 'plain-anthropic-messages', fields, {
      'anthropic-beta': 'context-1m-2025-08-07',
    });
    expect({ body, losses }).toMatchObject({ body: fields, losses: null });
    const id = answer.headers.get('x-svc-request-id')!;
    await waitFor(() => passing.server.log().includes(id));
    const line = passing.server
      .log()
      .split('\n')
      .find((text) => text.includes(id))!;
    const let_through = ['speed', 'inference_geo', 'web_search', 'cache_control.ttl', 'context-1m'];
    expect(new Set(JSON.parse(line).unbilled)).toEqual(new Set(let_through));
    const metrics = (await passing.server.call('/metrics')).text;
    for (const extra of let_through)
      expect(metrics).toContain(
        `tollgate_unpriced_requests_total{model="plain-anthropic-messages",extra="${extra}"} 1\n`,
      );
  });

  test('does not allow members that reach beyond the model [CHT-21]', async () => {
    const answer = await passing.ask('chat', 'plain-openai-chat', { models: ['a'], speed: 'fast' });
    passing.expectRefused(answer, 422, 'models');
  });
});

test('a quote has the refusal that the request would get [CHT-22]', async () => {
  const body = { model: 'plain-openai-chat', ...memberDialects.chat.base, inference_geo: 'us' };
  const answer = await server.call('/v1/quote', { headers: bearer(key), body });
  expect({ status: answer.status, param: answer.body.error.param }).toEqual({
    status: 422,
    param: 'inference_geo',
  });
});
