import { afterAll } from 'bun:test';
import { GoogleGenAI } from '@google/genai';
import { startRecordingUpstream } from './recording-upstream.ts';
import { startServer } from './start-server.ts';

const chatModel = (id: string, wire: string, fields: object = {}) => ({
  id,
  plan: 'free',
  delivery: 'exact',
  context_window: 8_192,
  max_output: 1_000,
  pricing_usd_per_mtok: { input: 1, output: 4 },
  capabilities: { tools: true, reasoning: true, vision: false, documents: false },
  routes: [{ provider: `hidden-${wire}`, model: `hidden-${id.replace('@svc/', '')}` }],
  ...fields,
});
const embeddingModel = (id: string, wire: string, upstreamModel: string) => ({
  id,
  kind: 'embedding',
  plan: 'free',
  context_window: 8_192,
  output_dimensions: 2,
  pricing_usd_per_mtok: { input: 1, output: 0 },
  routes: [{ provider: `hidden-${wire}`, model: upstreamModel }],
});

const configFor = (upstreamUrl: string) => ({
  simulator: { mode: 'off' },
  providers: ['openai-chat', 'google-generate', 'openai-embeddings', 'google-embeddings'].map((wire) => ({
    id: `hidden-${wire}`,
    wire,
    base_url: upstreamUrl,
  })),
  catalog: {
    default: false,
    models: [
      embeddingModel('vectors', 'openai-embeddings', 'hidden-vectors'),
      embeddingModel('vectors-of-google', 'google-embeddings', 'hidden-google-vectors'),
      chatModel('plain', 'openai-chat'),
      chatModel('fails', 'openai-chat'),
      chatModel('@svc/of-google', 'google-generate'),
    ],
  },
});

/** Starts a server with models on Google's wires and OpenAI's, for one test file of Gemini's dialect. */
export async function openGoogleGateway() {
  const upstream = startRecordingUpstream();
  const server = await startServer({ config: configFor(upstream.url) });
  afterAll(async () => {
    await server.stop();
    await upstream.stop();
  });
  const { key, account } = await server.createKey('enterprise');
  const body = { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] };
  const headers = { 'x-goog-api-key': key };
  return {
    upstream,
    server,
    key,
    account,
    headers,
    /** A short prompt, which `generate` sends by default. */
    body,
    /** Calls a method of a model, such as `plain:generateContent`. */
    generate: (path: string, options: object = {}) =>
      server.call(`/v1beta/models/${path}`, { headers, body, ...options }),
    client: new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: server.url, apiVersion: 'v1beta' } }),
  };
}
