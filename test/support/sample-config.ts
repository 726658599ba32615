import { HIDDEN } from './recording-upstream.ts';

const capabilities = { tools: false, reasoning: false, vision: false, documents: false };

const provider = (wire: string, base_url: string) => ({ id: `${HIDDEN}-${wire}`, wire, base_url });

/** Makes a row with the required fields. Its target is an upstream model of the same name. */
export function sampleModel(id: string, fields: Record<string, unknown> = {}, wire = 'openai-chat') {
  const name = id.replace(/^@[a-z]+\//, '');
  return {
    id,
    plan: 'free',
    delivery: 'exact',
    context_window: 8192,
    pricing_usd_per_mtok: { input: 1, output: 4 },
    routes: [{ provider: `${HIDDEN}-${wire}`, model: `${HIDDEN}-${name}` }],
    ...fields,
  };
}

/** Makes a row with the configuration's own defaults. */
const listed = (id: string, fields: Record<string, unknown> = {}, wire?: string) =>
  sampleModel(id, { delivery: 'optimized', ...fields }, wire);

/** One model for each thing that a row can say, and nothing of the default catalog. */

export const sampleModels = [
  listed('@svc/test-small', {
    display_name: 'Test Small',
    description: 'A small one.',
    owned_by: 'test-labs',
    created: 1_750_000_000,
    launch: true,
    tier: 'workhorse',
    context_window: 131_072,
    max_output: 8_192,
    capabilities: { ...capabilities, tools: true },
    pricing_usd_per_mtok: { input: 1, output: 4, cached_input: 0.1 },
    aliases: ['test-small-old'],
  }),
  listed('test-plain', {
    plan: 'starter',
    tier: 'premium',
    delivery: 'exact',
    payg_pricing_usd_per_mtok: { input: 2, output: 8, cached_input: 0.5 },
  }),
  listed('test-vision', {
    plan: 'pro',
    tier: 'frontier',
    delivery: 'exact',
    capabilities: { tools: true, reasoning: true, vision: true, documents: true },
    supported_parameters: ['messages', 'max_tokens', 'reasoning'],
  }),
  listed('test-max', { plan: 'max', tier: 'coding-flagship' }),
  listed('test-payg', { plan: 'payg', delivery: 'exact' }),
  listed('test-messages', {}, 'anthropic-messages'),
  listed('test-responses', {}, 'openai-responses'),
  listed('test-google', {}, 'google-generate'),
  listed('test-bedrock', {}, 'bedrock-converse'),
  listed('test-vectors', { kind: 'embedding', output_dimensions: 768 }, 'openai-embeddings'),
  listed('test-unrouted', { routes: [] }),
];

const otherWires = [
  'anthropic-messages',
  'openai-responses',
  'google-generate',
  'bedrock-converse',
  'openai-embeddings',
];

/** Makes a configuration whose chat models are answered at `upstream`. */
export const sampleConfig = (upstream: string, catalog: Record<string, unknown> = {}) => ({
  simulator: { mode: 'off' },
  providers: [
    { ...provider('openai-chat', upstream), api_key: 'upstream-key', headers: { 'x-extra': 'extra value' } },
    ...otherWires.map((wire) => provider(wire, upstream)),
  ],
  catalog: {
    default: false,
    list_unavailable: true, // for the model without routes
    models: sampleModels,
    handles: { 'gpt-stock': '@svc/test-small' },
    previews: { 'next-big-model': 'test-plain' },
    ...catalog,
  },
});
