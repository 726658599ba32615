import type { Json } from '../support/call.ts';

/** Instructions that the simulated upstream understands. */
export type Scenario = {
  prompt: string;
  tools?: boolean;
  thinks?: boolean;
  answers?: number;
  most?: number;
  stop?: string;
};

export const scenarios: readonly Scenario[] = [
  { prompt: 'say: äöü 🙂 "quoted" \\ and\nanother line' },
  { prompt: 'count to 40' },
  { prompt: 'count to 90', most: 16 },
  { prompt: 'count to 40', stop: '17' },
  { prompt: 'refuse: no' },
  { prompt: 'use a tool', tools: true },
  { prompt: 'ask the weather and the clock', tools: true },
  { prompt: 'say: thought through', thinks: true },
  { prompt: 'use a tool', tools: true, thinks: true },
  { prompt: 'count to 12', answers: 2 },
];

export type FuzzDialect = {
  name: 'chat' | 'messages' | 'responses' | 'gemini' | 'completions' | 'embeddings';
  /** Placeholders stand for the model and for the method. */
  path: string;
  /** The wire of its own protocol. */
  wire: string;
  /** The wires that its requests may be sent on. */
  wires: readonly string[];
  style: 'openai' | 'messages' | 'google';
  body(model: string, scenario: Scenario): Json;
};

export const chatWires: readonly string[] = [
  'openai-chat',
  'openai-responses',
  'anthropic-messages',
  'google-generate',
  'google-interactions',
  'bedrock-converse',
];

const parameters = { type: 'object', properties: { place: { type: 'string' } } };
const toolNames = ['weather', 'clock'] as const;

export const fuzzDialects: readonly FuzzDialect[] = [
  {
    name: 'chat',
    wire: 'openai-chat',
    path: '/v1/chat/completions',
    wires: chatWires,
    style: 'openai',
    body: (model, { prompt, tools, thinks, answers, most, stop }) => ({
      model,
      messages: [{ role: 'user', content: prompt }],
      ...(tools && {
        tools: toolNames.map((name) => ({ type: 'function', function: { name, parameters } })),
      }),
      ...(thinks && { reasoning_effort: 'low' }),
      ...(answers && { n: answers }),
      ...(most && { max_tokens: most }),
      ...(stop && { stop }),
    }),
  },
  {
    name: 'messages',
    wire: 'anthropic-messages',
    path: '/v1/messages',
    wires: chatWires,
    style: 'messages',
    body: (model, { prompt, tools, thinks, most = 4_096, stop }) => ({
      model,
      max_tokens: most,
      messages: [{ role: 'user', content: prompt }],
      ...(tools && { tools: toolNames.map((name) => ({ name, input_schema: parameters })) }),
      ...(thinks && { thinking: { type: 'enabled', budget_tokens: 1_024 } }),
      ...(stop && { stop_sequences: [stop] }),
    }),
  },
  {
    name: 'responses',
    wire: 'openai-responses',
    path: '/v1/responses',
    wires: chatWires,
    style: 'openai',
    body: (model, { prompt, tools, thinks, answers, most }) => ({
      model,
      input: prompt,
      store: answers !== undefined,
      ...(tools && {
        tools: toolNames.map((name) => ({ type: 'function', name, parameters, strict: false })),
      }),
      ...(thinks && {
        reasoning: { effort: 'low', summary: 'auto' },
        include: ['reasoning.encrypted_content'],
      }),
      ...(most && { max_output_tokens: most }),
    }),
  },
  {
    name: 'gemini',
    wire: 'google-generate',
    path: '/v1beta/models/{model}:{method}',
    wires: chatWires,
    style: 'google',
    body: (_model, { prompt, tools, thinks, most, stop }) => ({
      contents: [{ role: 'user', parts: [{ text: prompt }] }],
      ...(tools && {
        tools: [
          { functionDeclarations: toolNames.map((name) => ({ name, parametersJsonSchema: parameters })) },
        ],
      }),
      generationConfig: {
        ...(most && { maxOutputTokens: most }),
        ...(stop && { stopSequences: [stop] }),
        ...(thinks && { thinkingConfig: { includeThoughts: true, thinkingBudget: 1_024 } }),
      },
    }),
  },
  {
    name: 'completions',
    wire: 'openai-completions',
    path: '/v1/completions',
    wires: ['openai-completions', 'openai-chat', 'anthropic-messages'],
    style: 'openai',
    body: (model, { prompt, answers, most = 200, stop }) => ({
      model,
      prompt,
      max_tokens: most,
      ...(answers && { n: answers }),
      ...(stop && { stop }),
    }),
  },
  {
    name: 'embeddings',
    wire: 'openai-embeddings',
    path: '/v1/embeddings',
    wires: ['openai-embeddings'],
    style: 'openai',
    body: (model, { prompt, answers }) => ({ model, input: answers ? [prompt, 'two'] : prompt }),
  },
];

/** The dialects of chats. */
export const fuzzChats = fuzzDialects.slice(0, 4);

/** Returns the path of a request. Google's clients name the model and the method in it. */
export const fuzzPath = (
  { path }: Pick<FuzzDialect, 'path'>,
  model: string,
  { isStream }: { isStream: boolean },
): string =>
  path
    .replace('{model}', encodeURIComponent(model))
    .replace('{method}', isStream ? 'streamGenerateContent?alt=sse' : 'generateContent');

/** Returns the header with the key that the dialect takes. */
export const fuzzKey = ({ path }: Pick<FuzzDialect, 'path'>, key: string): Record<string, string> =>
  path.startsWith('/v1beta') ? { 'x-goog-api-key': key } : { authorization: `Bearer ${key}` };
