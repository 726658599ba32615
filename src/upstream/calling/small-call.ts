import type { CatalogEntry } from '../../settings/catalog/catalog.ts';
import type { Provider } from '../../settings/hosts/providers.ts';
import type { Quirk } from '../../translation/canonical/quirk.ts';
import type { Wire } from '../../translation/canonical/wire.ts';

/** The list of models on each wire, which costs nothing. Bedrock has its list on another host. */
export const listPaths: Partial<Record<Wire, string>> = {
  'openai-chat': '/models',
  'openai-responses': '/models',
  'openai-completions': '/models',
  'openai-embeddings': '/models',
  'openai-images': '/models',
  'openai-audio': '/models',
  'openai-moderations': '/models',
  'anthropic-messages': '/models?limit=1000',
  'google-generate': '/models?pageSize=1000',
  'google-interactions': '/models?pageSize=1000',
  'google-embeddings': '/models?pageSize=1000',
};

export type SmallCall = { wire: Wire; model: string; path: string; body: string };

/**
 * Returns the smallest call of the cheapest model that the catalog routes to a provider.
 * Returns undefined if no model is routed to it.
 */
export function cheapestCall(provider: Provider, catalog: readonly CatalogEntry[]): SmallCall | undefined {
  const routed = catalog.flatMap(({ model, targets }) =>
    targets
      .filter((target) => target.provider.id === provider.id)
      .map(({ upstreamModel, wires }) => ({
        upstreamModel,
        price: priceOf(model.pricing),
        wire: wires[0] ?? provider.wires[0]!,
      })),
  );
  const [cheapest] = routed
    .filter(({ wire }) => smallRequests[wire])
    .sort((one, other) => one.price - other.price);
  if (cheapest === undefined) return undefined;
  const { upstreamModel: model, wire } = cheapest;
  return smallCall(provider, { wire, model });
}

/** Returns the smallest call of a model. Returns undefined if the wire has none. */
export function smallCall(
  provider: Pick<Provider, 'quirks'>,
  { wire, model, tokens = 1 }: { wire: Wire; model: string; tokens?: number },
): SmallCall | undefined {
  const request = smallRequests[wire];
  if (!request) return undefined;
  const { path, body } = request(model, { quirks: provider.quirks, tokens });
  return { wire, model, path, body: JSON.stringify(body) };
}

export const hasSmallCall = (wire: Wire): boolean => smallRequests[wire] !== undefined;

const priceOf = ({ input, output }: { input: number; output: number }): number => input + output;

type SmallOptions = { quirks: readonly Quirk[]; tokens: number };
type SmallRequest = (model: string, options: SmallOptions) => { path: string; body: object };

const messages = [{ role: 'user', content: 'Hi' }];

/** The smallest request of each wire. An image or a sound would cost too much for a check. */
const smallRequests: Readonly<Partial<Record<Wire, SmallRequest>>> = {
  'openai-chat': (model, { quirks, tokens }) => ({
    path: '/chat/completions',
    body: {
      model,
      messages,
      ...(quirks.includes('max-completion-tokens-only')
        ? { max_completion_tokens: tokens }
        : { max_tokens: tokens }),
    },
  }),
  // The vendor refuses fewer tokens.
  'openai-responses': (model, { tokens }) => ({
    path: '/responses',
    body: { model, input: 'Hi', max_output_tokens: Math.max(16, tokens), store: false },
  }),
  'openai-completions': (model, { tokens }) => ({
    path: '/completions',
    body: { model, prompt: 'Hi', max_tokens: tokens },
  }),
  'openai-embeddings': (model) => ({ path: '/embeddings', body: { model, input: 'Hi' } }),
  'openai-moderations': (model) => ({ path: '/moderations', body: { model, input: 'Hi' } }),
  'cohere-rerank': (model) => ({ path: '/rerank', body: { model, query: 'Hi', documents: ['Hi'] } }),
  'anthropic-messages': (model, { tokens }) => ({
    path: '/messages',
    body: { model, messages, max_tokens: tokens },
  }),
  'google-generate': (model, { tokens }) => ({
    path: `/models/${encodeURIComponent(model.replace(/^models\//, ''))}:generateContent`,
    body: {
      contents: [{ role: 'user', parts: [{ text: 'Hi' }] }],
      generationConfig: { maxOutputTokens: tokens },
    },
  }),
  'google-interactions': (model, { tokens }) => ({
    path: '/interactions',
    body: { model, input: 'Hi', store: false, generation_config: { max_output_tokens: tokens } },
  }),
  'google-embeddings': (model) => {
    const name = `models/${model.replace(/^models\//, '')}`;
    return {
      path: `/${name.split('/').map(encodeURIComponent).join('/')}:batchEmbedContents`,
      body: { requests: [{ model: name, content: { parts: [{ text: 'Hi' }] } }] },
    };
  },
  'bedrock-converse': (model, { tokens }) => ({
    path: `/model/${encodeURIComponent(model)}/converse`,
    body: { messages: [{ role: 'user', content: [{ text: 'Hi' }] }], inferenceConfig: { maxTokens: tokens } },
  }),
};
