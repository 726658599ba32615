import type { Json } from '../../support/call.ts';
import { PDF, PNG } from '../../support/speaker.ts';

export type RichBody = {
  path: string;
  style: 'openai' | 'messages' | 'google';
  body: (model: string) => Json;
};

const parameters = {
  type: 'object',
  properties: { place: { type: 'string', enum: ['here', 'there'] }, n: { type: 'integer', minimum: 0 } },
  required: ['place'],
  additionalProperties: false,
};
const png = `data:image/png;base64,${PNG}`;
const source = (media_type: string, data: string) => ({ type: 'base64', media_type, data });
const cache_control = { type: 'ephemeral' };

/** Valid requests that use most members of each dialect, so that any change reaches code that reads it. */
export const richBodies: readonly RichBody[] = [
  {
    path: '/v1/chat/completions',
    style: 'openai',
    body: (model) => ({
      model,
      messages: [
        { role: 'system', content: 'Be brief.' },
        {
          role: 'user',
          name: 'ann',
          content: [
            { type: 'text', text: 'look' },
            { type: 'image_url', image_url: { url: png, detail: 'low' } },
            { type: 'file', file: { filename: 'a.pdf', file_data: `data:application/pdf;base64,${PDF}` } },
          ],
        },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'find', arguments: '{"n":1.0}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1', content: [{ type: 'text', text: 'found' }] },
        { role: 'assistant', content: 'here', reasoning_content: 'hm' },
        { role: 'user', content: 'and?' },
      ],
      tools: [
        { type: 'function', function: { name: 'find', description: 'Finds.', parameters, strict: false } },
      ],
      tool_choice: { type: 'function', function: { name: 'find' } },
      parallel_tool_calls: false,
      response_format: { type: 'json_schema', json_schema: { name: 'a', strict: true, schema: parameters } },
      temperature: 0.5,
      top_p: 0.9,
      presence_penalty: 0.1,
      frequency_penalty: 0.2,
      seed: 7,
      user: 'u',
      max_completion_tokens: 300,
      n: 1,
      stop: ['END', 'STOP'],
      logit_bias: { 50256: -100 },
      metadata: { a: 'b' },
    }),
  },
  {
    path: '/v1/chat/completions',
    style: 'openai',
    body: (model) => ({
      model,
      stream: true,
      stream_options: { include_usage: true },
      messages: [{ role: 'user', content: 'hello' }],
      n: 2,
      max_tokens: 50,
      logprobs: false,
      reasoning_effort: 'low',
      service_tier: 'auto',
      verbosity: 'low',
    }),
  },
  {
    path: '/v1/messages',
    style: 'messages',
    body: (model) => ({
      model,
      max_tokens: 3_000,
      system: [{ type: 'text', text: 'Be brief.', cache_control }],
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'look', cache_control },
            { type: 'image', source: source('image/png', PNG) },
            {
              type: 'document',
              source: source('application/pdf', PDF),
              title: 'a',
              citations: { enabled: true },
            },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'hm', signature: 'c2ln' },
            { type: 'text', text: 'so' },
            { type: 'tool_use', id: 'toolu_1', name: 'find', input: { n: 1, deep: [{ a: null }] } },
          ],
        },
        {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              tool_use_id: 'toolu_1',
              content: [{ type: 'text', text: 'found' }],
              is_error: false,
            },
            { type: 'text', text: 'and?' },
          ],
        },
      ],
      tools: [{ name: 'find', description: 'Finds.', input_schema: parameters, cache_control }],
      tool_choice: { type: 'auto', disable_parallel_tool_use: true },
      thinking: { type: 'enabled', budget_tokens: 1_024 },
      temperature: 1,
      stop_sequences: ['END'],
      metadata: { user_id: 'u' },
      service_tier: 'auto',
    }),
  },
  {
    path: '/v1/messages',
    style: 'messages',
    body: (model) => ({
      model,
      max_tokens: 100,
      stream: true,
      top_k: 5,
      messages: [{ role: 'user', content: 'hello' }],
    }),
  },
  {
    path: '/v1/responses',
    style: 'openai',
    body: (model) => ({
      model,
      instructions: 'Be brief.',
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'look' },
            { type: 'input_image', image_url: png, detail: 'auto' },
          ],
        },
        { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'hm' }] },
        { type: 'function_call', call_id: 'call_1', name: 'find', arguments: '{"place":"here"}' },
        { type: 'function_call_output', call_id: 'call_1', output: 'found' },
        {
          type: 'message',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'so', annotations: [] }],
        },
        { role: 'user', content: 'and?' },
      ],
      tools: [
        { type: 'function', name: 'find', description: 'Finds.', parameters, strict: false },
        { type: 'custom', name: 'patch', description: 'Patches.', format: { type: 'text' } },
      ],
      tool_choice: 'auto',
      reasoning: { effort: 'low', summary: 'auto' },
      include: ['reasoning.encrypted_content'],
      text: {
        format: { type: 'json_schema', name: 'a', strict: true, schema: parameters },
        verbosity: 'low',
      },
      max_output_tokens: 300,
      store: false,
      truncation: 'disabled',
      parallel_tool_calls: true,
      metadata: { a: 'b' },
    }),
  },
  {
    path: '/v1/responses',
    style: 'openai',
    body: (model) => ({
      model,
      stream: true,
      input: 'hello',
      store: true,
      previous_response_id: null,
      top_p: 0.5,
    }),
  },
  {
    path: '/v1/completions',
    style: 'openai',
    body: (model) => ({
      model,
      prompt: ['one', 'two'],
      max_tokens: 20,
      n: 2,
      echo: false,
      stop: 'x',
      suffix: null,
    }),
  },
  {
    path: '/v1/embeddings',
    style: 'openai',
    body: (model) => ({
      model,
      input: ['one', [1, 2, 3]],
      encoding_format: 'base64',
      dimensions: 64,
      user: 'u',
    }),
  },
  {
    path: '/v1beta/models/{model}:{method}',
    style: 'google',
    body: () => ({
      systemInstruction: { parts: [{ text: 'Be brief.' }] },
      contents: [
        {
          role: 'user',
          parts: [
            { text: 'look' },
            { inlineData: { mimeType: 'image/png', data: PNG } },
            { inline_data: { mime_type: 'application/pdf', data: PDF } },
          ],
        },
        {
          role: 'model',
          parts: [
            { text: 'hm', thought: true, thoughtSignature: 'c2lnbmVk' },
            { functionCall: { id: 'call_1', name: 'find', args: { n: 1 } } },
          ],
        },
        {
          role: 'user',
          parts: [{ functionResponse: { id: 'call_1', name: 'find', response: { output: 'a' } } }],
        },
        { role: 'model', parts: [{ text: 'here' }] },
        { parts: { text: 'and?' } },
      ],
      tools: [
        { functionDeclarations: [{ name: 'find', description: 'Finds.', parameters }] },
        { googleSearch: {} },
      ],
      toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['find'] } },
      generation_config: {
        maxOutputTokens: 300,
        temperature: 0.5,
        topP: 0.9,
        topK: 3,
        seed: 7,
        stopSequences: ['END'],
        candidateCount: 1,
        thinkingConfig: { includeThoughts: true, thinkingLevel: 'LOW' },
        responseMimeType: 'application/json',
        responseJsonSchema: parameters,
      },
      safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }],
      labels: { a: 'b' },
    }),
  },
  {
    path: '/v1beta/models/{model}:countTokens',
    style: 'google',
    body: () => ({ contents: [{ parts: [{ text: 'hello' }] }] }),
  },
  {
    path: '/v1/messages/count_tokens',
    style: 'messages',
    body: (model) => ({ model, system: 'Be brief.', messages: [{ role: 'user', content: 'hello' }] }),
  },
  {
    path: '/v1/quote',
    style: 'openai',
    body: (model) => ({ model, messages: [{ role: 'user', content: 'hello' }], max_tokens: 50 }),
  },
];
