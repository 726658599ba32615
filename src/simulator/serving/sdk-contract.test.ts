import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { GoogleGenAI } from '@google/genai';
import { serveSimulator } from './serve-simulator.ts';
import { createSimulator } from './simulator.ts';

const simulator = createSimulator();
const modules = new URL('../../../node_modules/', import.meta.url);

/** Returns the members that an interface in a client's published types requires. */
function requiredBy(file: string, type: string): string[] {
  const text = readFileSync(new URL(file, modules), 'utf8');
  const start = text.indexOf(`export interface ${type} {`);
  if (start < 0) throw new Error(`${file} has no interface ${type}`);
  const body = text.slice(start).split(/\n}\n/, 1)[0]!;
  return [...body.matchAll(/^ {4}([a-z_]+):/gm)].map(([, name]) => name!);
}

async function post(path: string, body: object): Promise<Record<string, unknown>> {
  const request = new Request(`http://simulator/v1${path}`, { method: 'POST', body: JSON.stringify(body) });
  const answer: unknown = await (await simulator.handle(request)).json();
  return answer as Record<string, unknown>;
}

const messages = [{ role: 'user', content: 'hello' }];
const chat = await post('/chat/completions', { model: 'm', messages });
const completion = await post('/completions', { model: 'm', prompt: 'hello' });
const response = await post('/responses', { model: 'm', input: 'hello' });
const message = await post('/messages', { model: 'm', max_tokens: 64, messages });
const vectors = await post('/embeddings', { model: 'm', input: 'hello' });
const batch = await post('/messages/batches', {
  requests: [{ custom_id: 'a', params: { model: 'm', max_tokens: 8, messages } }],
});
type Values = { [name: string]: Values };
const within = (value: unknown, ...path: (string | number)[]): unknown =>
  path.reduce<unknown>((at, step) => (at as Values)[step], value);

const COMPLETIONS = 'openai/resources/chat/completions/completions.d.ts';
const RESPONSES = 'openai/resources/responses/responses.d.ts';
const MESSAGES = '@anthropic-ai/sdk/resources/messages/messages.d.ts';
const BATCHES = '@anthropic-ai/sdk/resources/messages/batches.d.ts';

describe("the simulator's answers have each member that the types of the official clients require", () => {
  for (const [file, type, value] of [
    [COMPLETIONS, 'ChatCompletion', chat],
    [COMPLETIONS, 'ChatCompletionMessage', within(chat, 'choices', 0, 'message')],
    ['openai/resources/completions.d.ts', 'Completion', completion],
    ['openai/resources/completions.d.ts', 'CompletionUsage', within(chat, 'usage')],
    [RESPONSES, 'Response', response],
    [RESPONSES, 'ResponseUsage', within(response, 'usage')],
    [RESPONSES, 'ResponseOutputMessage', within(response, 'output', 0)],
    [RESPONSES, 'ResponseOutputText', within(response, 'output', 0, 'content', 0)],
    ['openai/resources/embeddings.d.ts', 'CreateEmbeddingResponse', vectors],
    ['openai/resources/embeddings.d.ts', 'Embedding', within(vectors, 'data', 0)],
    [MESSAGES, 'Message', message],
    [MESSAGES, 'Usage', within(message, 'usage')],
    [MESSAGES, 'TextBlock', within(message, 'content', 0)],
    [BATCHES, 'MessageBatch', batch],
    [BATCHES, 'MessageBatchRequestCounts', within(batch, 'request_counts')],
  ] as const)
    test(type, () => {
      const required = requiredBy(file, type);
      expect(required.length).toBeGreaterThan(0);
      // `output_text` and underscored members are the client's own.
      const own = (name: string) => name === 'output_text' || name.startsWith('_');
      expect(required.filter((name) => !own(name) && !(name in Object(value)))).toEqual([]);
    });
});

test("Google's official client reads whole answers, streams and tool calls", async () => {
  const served = serveSimulator({ apiKey: 'k' });
  try {
    const client = new GoogleGenAI({ apiKey: 'k', httpOptions: { baseUrl: served.url } });
    const whole = await client.models.generateContent({ model: 'm', contents: 'say: fine' });
    expect(whole.text).toBe('[simulated] fine');
    expect(whole.usageMetadata?.totalTokenCount).toBeGreaterThan(0);
    let streamed = '';
    for await (const part of await client.models.generateContentStream({
      model: 'm',
      contents: 'count to 9',
    }))
      streamed += part.text ?? '';
    expect(streamed).toContain('1 2 3');
    const functionDeclarations = [{ name: 'get_weather', parametersJsonSchema: { type: 'object' } }];
    const called = await client.models.generateContent({
      ...{ model: 'm', contents: 'use a tool' },
      config: { tools: [{ functionDeclarations }] },
    });
    expect(called.functionCalls).toMatchObject([{ name: 'get_weather' }]);
  } finally {
    await served.stop();
  }
});
