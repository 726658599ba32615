import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { GoogleGenAI, Type } from '@google/genai';
import { serveSimulator } from './serve-simulator.ts';
import { createSimulator } from './simulator.ts';

const simulator = createSimulator();
const modules = new URL('../../../node_modules/', import.meta.url);

/**
 * Returns the members that an interface in a client's published types requires.
 * `A.B` is B in the namespace A.
 */
function requiredBy(file: string, type: string): string[] {
  let text = readFileSync(new URL(file, modules), 'utf8');
  const [name, ...namespaces] = type.split('.').reverse();
  for (const space of namespaces.reverse()) text = blockOf(text, `namespace ${space}`, file);
  const body = blockOf(text, `interface ${name}`, file);
  const depth = /^ +/m.exec(body)![0].length;
  return [...body.matchAll(new RegExp(`^ {${depth}}([a-z_\\d]+):`, 'gm'))].map(([, member]) => member!);
}

/** Returns the text between the braces of a declaration. */
function blockOf(text: string, declaration: string, file: string): string {
  const found = new RegExp(`^( *)(?:export )?(?:declare )?${declaration} (?:extends \\S+ )?\\{\n`, 'm').exec(
    text,
  );
  if (!found) throw new Error(`${file} has no ${declaration}`);
  const rest = text.slice(found.index + found[0].length);
  return rest.slice(0, rest.indexOf(`\n${found[1]}}\n`) + 1);
}

async function post(path: string, body: object | FormData): Promise<Record<string, unknown>> {
  const sent = body instanceof FormData ? body : JSON.stringify(body);
  const request = new Request(`http://simulator/v1${path}`, { method: 'POST', body: sent });
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
const form = new FormData();
form.set('purpose', 'batch');
const item = { custom_id: 'a', method: 'POST', url: '/v1/responses', body: { model: 'm', input: 'hello' } };
form.set('file', new File([JSON.stringify(item)], 'in.jsonl'));
const uploaded = await post('/files', form);
const openaiBatch = await post('/batches', {
  input_file_id: uploaded.id,
  endpoint: item.url,
  completion_window: '24h',
});
const schema = { type: 'object', properties: { city: { type: 'string' } } };
const order = [{ role: 'user', content: 'use a tool' }];
const thought = { type: 'enabled', budget_tokens: 1_024 };
const calledMessage = await post('/messages', {
  model: 'm',
  max_tokens: 2_000,
  messages: order,
  thinking: thought,
  tools: [{ name: 'weather', input_schema: schema }],
});
const compacted = await post('/messages', {
  model: 'm',
  max_tokens: 64,
  messages,
  context_management: {
    edits: [{ type: 'compact_20260112', trigger: { type: 'input_tokens', value: 1 } }],
  },
});
const calledChat = await post('/chat/completions', {
  model: 'm',
  messages: order,
  logprobs: true,
  top_logprobs: 1,
  tools: [{ type: 'function', function: { name: 'weather', parameters: schema } }],
});
const calledResponse = await post('/responses', {
  model: 'm',
  input: 'use a tool',
  reasoning: { effort: 'low', summary: 'auto' },
  tools: [
    {
      type: 'namespace',
      name: 'sky',
      description: 'x',
      tools: [{ type: 'function', name: 'weather', parameters: schema }],
    },
  ],
});
const summarized = await post('/responses', {
  model: 'm',
  input: [...messages, { type: 'compaction_trigger' }],
});
type Values = { [name: string]: Values };
const within = (value: unknown, ...path: (string | number)[]): unknown =>
  path.reduce<unknown>((at, step) => (at as Values)[step], value);

const COMPLETIONS = 'openai/resources/chat/completions/completions.d.ts';
const RESPONSES = 'openai/resources/responses/responses.d.ts';
const MESSAGES = '@anthropic-ai/sdk/resources/messages/messages.d.ts';
const BETA_MESSAGES = '@anthropic-ai/sdk/resources/beta/messages/messages.d.ts';
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
    [COMPLETIONS, 'ChatCompletion.Choice', within(chat, 'choices', 0)],
    [COMPLETIONS, 'ChatCompletion.Choice', within(calledChat, 'choices', 0)],
    [
      COMPLETIONS,
      'ChatCompletionMessageFunctionToolCall',
      within(calledChat, 'choices', 0, 'message', 'tool_calls', 0),
    ],
    [RESPONSES, 'ResponseUsage.InputTokensDetails', within(response, 'usage', 'input_tokens_details')],
    [RESPONSES, 'ResponseUsage.OutputTokensDetails', within(response, 'usage', 'output_tokens_details')],
    [RESPONSES, 'ResponseReasoningItem', within(calledResponse, 'output', 0)],
    [RESPONSES, 'ResponseFunctionToolCall', within(calledResponse, 'output', 1)],
    [RESPONSES, 'NamespaceTool', within(calledResponse, 'tools', 0)],
    [RESPONSES, 'ResponseCompactionItem', within(summarized, 'output', 0)],
    ['openai/resources/files.d.ts', 'FileObject', uploaded],
    ['openai/resources/batches.d.ts', 'Batch', openaiBatch],
    ['openai/resources/batches.d.ts', 'BatchRequestCounts', within(openaiBatch, 'request_counts')],
    [MESSAGES, 'ThinkingBlock', within(calledMessage, 'content', 0)],
    [MESSAGES, 'ToolUseBlock', within(calledMessage, 'content', 1)],
    [MESSAGES, 'OutputTokensDetails', within(calledMessage, 'usage', 'output_tokens_details')],
    [MESSAGES, 'CacheCreation', within(calledMessage, 'usage', 'cache_creation')],
    [BETA_MESSAGES, 'BetaMessage', compacted],
    [BETA_MESSAGES, 'BetaUsage', within(compacted, 'usage')],
    [BETA_MESSAGES, 'BetaCompactionBlock', within(compacted, 'content', 0)],
    [BETA_MESSAGES, 'BetaCompactionIterationUsage', within(compacted, 'usage', 'iterations', 0)],
    [BETA_MESSAGES, 'BetaMessageIterationUsage', within(compacted, 'usage', 'iterations', 1)],
    [BATCHES, 'MessageBatch', batch],
    [BATCHES, 'MessageBatchRequestCounts', within(batch, 'request_counts')],
  ] as const)
    test(type, () => {
      const required = requiredBy(file, type);
      expect(required.length).toBeGreaterThan(0);
      // `output_text` and underscored members are the client's own.
      // The vendor omits `fallback_credit` without a token for it.
      const own = (name: string) =>
        name === 'output_text' || name === 'fallback_credit' || name.startsWith('_');
      expect(required.filter((name) => !own(name) && !(name in Object(value)))).toEqual([]);
    });
});

test("Google's official client reads whole answers, streams, tool calls and values of an enum", async () => {
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
      model: 'm',
      contents: 'use a tool',
      config: { tools: [{ functionDeclarations }] },
    });
    expect(called.functionCalls).toMatchObject([{ name: 'get_weather' }]);
    const responseSchema = { type: Type.STRING, enum: ['red', 'blue'] };
    const picked = await client.models.generateContent({
      model: 'm',
      contents: 'Pick a color.',
      config: { responseMimeType: 'text/x.enum', responseSchema },
    });
    expect(picked.text).toBe('red');
  } finally {
    await served.stop();
  }
});
