import { type Answer, bearer, type Json } from '../support/call.ts';
import { purchasedCredit } from '../support/purchased-credit.ts';
import { startRecordingUpstream } from '../support/recording-upstream.ts';
import { type CreatedKey, startServer } from '../support/start-server.ts';
import { wideLimits } from '../support/wide-limits.ts';

const model = (id: string, wire: string, fields: Json) => ({
  id,
  plan: 'free',
  delivery: 'exact',
  routes: [{ provider: `hidden-${wire}`, model: `hidden-${id}` }],
  ...fields,
});

const twoRoutes = (wire: string) => [
  { provider: `hidden-${wire}`, model: 'hidden-failing', weight: 2 },
  { provider: `hidden-${wire}`, model: 'hidden-healthy', weight: 1 },
];

const perImage = [
  { size: '1024x1024', quality: 'high', usd: 0.167 },
  { size: '1024x1024', quality: 'low', usd: 0.011 },
  { usd: 0.25 },
];

const models = [
  model('image', 'openai-images', { kind: 'image', metered_usd: { per_image: perImage } }),
  model('image-two-routes', 'openai-images', {
    kind: 'image',
    metered_usd: { per_image: [{ usd: 0.04 }] },
    routes: twoRoutes('openai-images'),
  }),
  model('image-by-tokens', 'openai-images', {
    kind: 'image',
    pricing_usd_per_mtok: { input: 5, output: 40 },
    metered_usd: { per_request: 0.001 },
  }),
  model('speech', 'openai-audio', { kind: 'speech', metered_usd: { per_million_characters: 15 } }),
  model('speech-by-seconds', 'openai-audio', { kind: 'speech', metered_usd: { per_second: 0.00025 } }),
  model('speech-two-routes', 'openai-audio', {
    kind: 'speech',
    metered_usd: { per_million_characters: 15 },
    routes: twoRoutes('openai-audio'),
  }),
  model('rerank', 'cohere-rerank', { kind: 'rerank', metered_usd: { per_1000_documents: 2 } }),
  model('rerank-by-tokens', 'cohere-rerank', {
    kind: 'rerank',
    pricing_usd_per_mtok: { input: 0.05, output: 0 },
  }),
  model('moderation', 'openai-moderations', { kind: 'moderation', aliases: ['omni-moderation-latest'] }),
  model('paid-moderation', 'openai-moderations', {
    kind: 'moderation',
    metered_usd: { per_request: 0.0001 },
  }),
  model('chat', 'openai-chat', { context_window: 8_192, pricing_usd_per_mtok: { input: 1, output: 4 } }),
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
  return {
    server,
    upstream,
    ...purchasedCredit(server),
    call: ({ key }: CreatedKey, path: string, body: Json): Promise<Answer> =>
      server.call(path, { headers: bearer(key), body }),
    quote: async ({ key }: CreatedKey, path: string, body: Json): Promise<Json> =>
      (await server.call(`/v1/quote?endpoint=${path}`, { headers: bearer(key), body })).body,
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
