import { ableModel, chatWires, type Route, wirePrefix } from '../../support/wire-models.ts';

/** Prices in thousandths of a USD per million tokens. Whole numbers keep the judge's sums exact. */
export type Prices = { input: number; cached: number; output: number };

export type SoakModel = {
  id: string;
  /** The wires of the model's targets. The upstream's name for the model has the id and the wire. */
  wires: readonly (typeof chatWires)[number][];
  listed: Prices;
  /** The rate in pay-as-you-go mode, if it differs. */
  payg?: Prices;
  /** The ids of the models that can serve in its place. */
  comparable?: readonly string[];
  /** Every answer begins with reasoning, which some wires do not show. */
  thinks?: true;
};

const prices = (input: number, cached: number, output: number): Prices => ({ input, cached, output });

/** The chat models: one for each wire, then those whose other targets or comparable models can serve. */
export const chatModels: readonly SoakModel[] = [
  { id: 'plain-chat', wires: ['openai-chat'], listed: prices(1_001, 101, 4_003) },
  { id: 'plain-responses', wires: ['openai-responses'], listed: prices(1_303, 129, 5_107) },
  {
    id: 'plain-messages',
    wires: ['anthropic-messages'],
    listed: prices(3_001, 301, 15_013),
    payg: prices(3_607, 361, 18_041),
  },
  {
    id: 'plain-google',
    wires: ['google-generate'],
    listed: prices(307, 77, 2_503),
    payg: prices(409, 409, 3_011),
  },
  { id: 'plain-bedrock', wires: ['bedrock-converse'], listed: prices(811, 203, 3_203) },
  { id: 'two-targets', wires: ['openai-chat', 'anthropic-messages'], listed: prices(1_409, 353, 5_639) },
  {
    id: 'falls-to-cheap',
    wires: ['google-generate'],
    listed: prices(2_203, 551, 8_807),
    comparable: ['cheap'],
  },
  {
    id: 'falls-to-expensive',
    wires: ['openai-responses'],
    listed: prices(503, 127, 2_011),
    comparable: ['expensive'],
  },
  { id: 'cheap', wires: ['openai-chat'], listed: prices(211, 53, 809), payg: prices(223, 57, 853) },
  { id: 'expensive', wires: ['bedrock-converse'], listed: prices(6_007, 1_499, 24_029) },
  { id: 'thinks-in-secret', wires: ['openai-responses'], listed: prices(1_103, 277, 8_819), thinks: true },
  { id: 'thinks-aside', wires: ['google-generate'], listed: prices(1_201, 307, 9_601), thinks: true },
  { id: 'thinks-aloud', wires: ['anthropic-messages'], listed: prices(2_903, 293, 14_519), thinks: true },
];

/** The model of embeddings. */
export const vectorModel: SoakModel = { id: 'vectors', wires: [], listed: prices(131, 131, 0) };

/** Names of models to come, which are charged as the model that they stand for. */
export const previews = { 'messages-to-come': 'plain-messages', 'targets-to-come': 'two-targets' } as const;

const models = new Map([...chatModels, vectorModel].map((model) => [model.id, model]));
const byPreview = new Map<string, string>(Object.entries(previews));

/** Returns a model by its id or its preview. */
export const modelOf = (name: string): SoakModel => models.get(byPreview.get(name) ?? name)!;

/** The names of chat models that requests can have. */
export const askableNames: readonly string[] = [...chatModels.map(({ id }) => id), ...Object.keys(previews)];

const SEPARATOR = '--';
const upstreamName = (id: string, wire: string): string => `${id}${SEPARATOR}${wire}`;

/** Returns the public id of the model that an upstream call was for. */
export const servedBy = (upstreamModel: string): string => upstreamModel.split(SEPARATOR)[0]!;

const usd = (thousandths: number): number => thousandths / 1_000;
const priceRow = ({ input, cached, output }: Prices) => ({
  input: usd(input),
  cached_input: usd(cached),
  output: usd(output),
});

const pricingOf = ({ listed, payg }: SoakModel) => ({
  pricing_usd_per_mtok: priceRow(listed),
  ...(payg && { payg_pricing_usd_per_mtok: priceRow(payg) }),
});

function rowOf(model: SoakModel) {
  const routes: Route[] = model.wires.map((wire) => ({
    provider: `at-${wire}`,
    model: upstreamName(model.id, wire),
  }));
  return ableModel(model.id, routes, {
    ...pricingOf(model),
    max_output: 4_096,
    capabilities: { tools: true, reasoning: model.thinks === true },
    reasoning_efforts: [],
    ...(model.comparable && { delivery: 'optimized', comparable: model.comparable }),
  });
}

const vectorRow = {
  id: vectorModel.id,
  plan: 'free',
  kind: 'embedding',
  output_dimensions: 8,
  context_window: 200_000,
  ...pricingOf(vectorModel),
  delivery: 'exact',
  routes: [{ provider: 'at-openai-embeddings', model: upstreamName(vectorModel.id, 'openai-embeddings') }],
};

/** The catalog of the gateway under test. */
export const soakCatalog = { default: false, models: [...chatModels.map(rowOf), vectorRow], previews };

/** The slowest whole answer takes 7 s. */
const FIRST_BYTE_MS = 8_000;

/** Lists one upstream as a provider of each wire. The gateway ends a call that is silent for `idleMs`. */
export const soakProviders = (upstream: string, idleMs: number) =>
  [...chatWires, 'openai-embeddings' as const].map((wire) => ({
    id: `at-${wire}`,
    wire,
    base_url: upstream + (wire === 'openai-embeddings' ? '/v1' : wirePrefix[wire]),
    api_key: 'upstream-key',
    timeouts: { first_byte_ms: FIRST_BYTE_MS, idle_ms: idleMs },
  }));
