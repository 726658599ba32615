import { expect } from 'bun:test';
import { type Answer, bearer, type Json } from '../support/call.ts';
import { startRecordingUpstream } from '../support/recording-upstream.ts';
import { type CreatedKey, startServer } from '../support/start-server.ts';
import { wideLimits } from '../support/wide-limits.ts';

export const MICROCREDITS_PER_USD = 500_000_000;

const model = (id: string, wire: string, fields: Json) => ({
  id,
  plan: 'free',
  delivery: 'exact',
  routes: [{ provider: `hidden-${wire}`, model: `hidden-${id}` }],
  ...fields,
});

const twoRoutes = (wire: string) => [
  { provider: `hidden-${wire}`, model: 'hidden-sick', weight: 2 },
  { provider: `hidden-${wire}`, model: 'hidden-well', weight: 1 },
];

const perImage = [
  { size: '1024x1024', quality: 'high', usd: 0.167 },
  { size: '1024x1024', quality: 'low', usd: 0.011 },
  { usd: 0.25 },
];

const models = [
  model('paints', 'openai-images', { kind: 'image', metered_usd: { per_image: perImage } }),
  model('paints-twice', 'openai-images', {
    kind: 'image',
    metered_usd: { per_image: [{ usd: 0.04 }] },
    routes: twoRoutes('openai-images'),
  }),
  model('paints-tokens', 'openai-images', {
    kind: 'image',
    pricing_usd_per_mtok: { input: 5, output: 40 },
    metered_usd: { per_request: 0.001 },
  }),
  model('speaks', 'openai-audio', { kind: 'speech', metered_usd: { per_million_characters: 15 } }),
  model('speaks-seconds', 'openai-audio', { kind: 'speech', metered_usd: { per_second: 0.00025 } }),
  model('speaks-twice', 'openai-audio', {
    kind: 'speech',
    metered_usd: { per_million_characters: 15 },
    routes: twoRoutes('openai-audio'),
  }),
  model('ranks', 'cohere-rerank', { kind: 'rerank', metered_usd: { per_1000_documents: 2 } }),
  model('ranks-tokens', 'cohere-rerank', {
    kind: 'rerank',
    pricing_usd_per_mtok: { input: 0.05, output: 0 },
  }),
  model('judges', 'openai-moderations', { kind: 'moderation', aliases: ['omni-moderation-latest'] }),
  model('judges-paid', 'openai-moderations', { kind: 'moderation', metered_usd: { per_request: 0.0001 } }),
  model('talks', 'openai-chat', { context_window: 8_192, pricing_usd_per_mtok: { input: 1, output: 4 } }),
];

const wires = ['openai-images', 'openai-audio', 'cohere-rerank', 'openai-moderations', 'openai-chat'];

/** Starts a server with a model for each kind of metered price, whose upstream is scripted. */
export async function startMeteredGateway(config: Json = {}) {
  const upstream = startRecordingUpstream();
  const server = await startServer({
    config: {
      simulator: { mode: 'off' },
      plans: wideLimits,
      providers: wires.map((wire) => ({
        id: `hidden-${wire}`,
        wire,
        base_url: upstream.url,
        api_key: 'key',
      })),
      catalog: { default: false, models },
      ...config,
    },
  });
  const bought = async (microcredits: number): Promise<CreatedKey> => {
    const key = await server.createKey('payg');
    const given = { credits: microcredits / 1e6, balance: 'purchased', reason: 'a test' };
    expect((await server.admin('POST', `/accounts/${key.account}/adjustments`, given)).status).toBe(201);
    return key;
  };
  const receiptOf = async ({ key }: CreatedKey, answer: Pick<Answer, 'headers'>): Promise<Json> => {
    const id = answer.headers.get('x-svc-request-id')!;
    const { status, body, text } = await server.call(`/v1/usage/${id}`, { headers: bearer(key) });
    expect([status, status === 200 ? '' : text]).toEqual([200, '']);
    return body;
  };
  return {
    server,
    upstream,
    bought,
    receiptOf,
    call: ({ key }: CreatedKey, path: string, body: Json): Promise<Answer> =>
      server.call(path, { headers: bearer(key), body }),
    quote: async ({ key }: CreatedKey, path: string, body: Json): Promise<Json> =>
      (await server.call(`/v1/quote?endpoint=${path}`, { headers: bearer(key), body })).body,
    /** The purchased credit that is left, in micro-credits. */
    left: async ({ key }: CreatedKey): Promise<number> =>
      Math.round((await server.call('/v1/usage', { headers: bearer(key) })).body.purchased_credits * 1e6),
    async stop() {
      await server.stop();
      await upstream.stop();
    },
  };
}

/** Returns the rows of a receipt that are not about tokens. */
export const meteredRows = ({ prices }: Json): Json[] =>
  prices
    .filter((row: Json) => row.count !== undefined)
    .map(({ kind, count, usd_per_unit }: Json) => ({ kind, count, usd_per_unit }));
