import type { Quirk } from '../../translation/canonical/quirk.ts';
import type { Wire } from '../../translation/canonical/wire.ts';

type SmallOptions = { quirks: readonly Quirk[]; tokens: number };
type SmallRequest = (model: string, options: SmallOptions) => { path: string; body: object };

const messages = [{ role: 'user', content: 'Hi' }];

/** The smallest request of each wire. An image or a sound would cost too much for a check. */
export const smallRequests: Readonly<Partial<Record<Wire, SmallRequest>>> = {
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
