export const chatWires = [
  'openai-chat',
  'openai-responses',
  'anthropic-messages',
  'google-generate',
  'google-interactions',
  'bedrock-converse',
] as const;
export type ChatWire = (typeof chatWires)[number];

/** The simulator's path for each wire. */
export const wirePrefix: Record<ChatWire, string> = {
  'openai-chat': '/v1',
  'openai-responses': '/v1',
  'anthropic-messages': '/v1',
  'google-generate': '/v1beta',
  'google-interactions': '/v1beta',
  'bedrock-converse': '',
};

/** A provider for each wire, all of them the simulator at that address. */
export const wireProviders = (url: string, idPrefix = '') =>
  chatWires.map((wire) => ({ id: idPrefix + wire, wire, base_url: url + wirePrefix[wire] }));

export type Route = { provider: string; model: string; wires?: readonly string[] };

/** A model that can do everything. */
export const ableModel = (id: string, routes: readonly Route[], fields: Record<string, unknown> = {}) => ({
  id,
  plan: 'free',
  delivery: 'exact',
  context_window: 200_000,
  capabilities: { tools: true, reasoning: true, vision: true, documents: true },
  reasoning_efforts: ['low', 'medium', 'high'],
  pricing_usd_per_mtok: { input: 1, output: 4 },
  routes,
  ...fields,
});

/** Makes a model on the built-in simulator, through that wire. `upstream` may say how it is to misbehave. */
export const simulated = (wire: string, upstream = `hidden-${wire}`): Route => ({
  provider: 'simulator',
  model: upstream,
  wires: [wire],
});
