import { describe, expect, test } from 'bun:test';
import { dialectOfRoute } from '../../app/chat-endpoints.ts';
import type { AssistantTurn, Turn } from './conversation.ts';
import { dialectOf, dialects, endpointOf } from './dialects.ts';
import { emptyDraft } from './draft.ts';
import type { Settings } from './settings.ts';

const settings: Settings = {
  ...emptyDraft.settings,
  model: 'm',
  dialect: 'messages',
  system: 'Be brief.',
  maxTokens: '50',
  temperature: '0.5',
  stop: 'END\nSTOP',
  effort: 'low',
};
const tools = [{ name: 'look', description: 'Looks.', schema: { type: 'object' } }];
const image = 'data:image/png;base64,QUJD';
const called: AssistantTurn = {
  role: 'assistant',
  text: 'I look.',
  thinking: '',
  calls: [{ id: 'c1', name: 'look', input: '{"at":1}' }],
};
const turns: Turn[] = [
  { role: 'user', text: 'What is it?', images: [image] },
  called,
  { role: 'tool', results: [{ id: 'c1', name: 'look', text: 'a cat' }] },
];
const bodies = Object.fromEntries(dialects.map(({ id, write }) => [id, write(settings, turns, tools)]));

describe('requests of the playground', () => {
  test('of the messages API', () => {
    expect(bodies.messages).toEqual({
      model: 'm',
      max_tokens: 50,
      system: 'Be brief.',
      temperature: 0.5,
      stream: true,
      stop_sequences: ['END', 'STOP'],
      thinking: { type: 'adaptive' },
      output_config: { effort: 'low' },
      tools: [{ name: 'look', description: 'Looks.', input_schema: { type: 'object' } }],
      messages: [
        {
          role: 'user',
          content: [
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'QUJD' } },
            { type: 'text', text: 'What is it?' },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'I look.' },
            { type: 'tool_use', id: 'c1', name: 'look', input: { at: 1 } },
          ],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'a cat' }] },
      ],
    });
  });

  test('of the chat completions API', () => {
    expect(bodies.chat).toMatchObject({
      max_tokens: 50,
      stop: ['END', 'STOP'],
      reasoning_effort: 'low',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: [{ type: 'text' }, { type: 'image_url', image_url: { url: image } }] },
        { role: 'assistant', tool_calls: [{ id: 'c1', function: { name: 'look', arguments: '{"at":1}' } }] },
        { role: 'tool', tool_call_id: 'c1', content: 'a cat' },
      ],
    });
  });

  test('of the responses API, without stop sequences', () => {
    expect(bodies.responses).toMatchObject({
      instructions: 'Be brief.',
      max_output_tokens: 50,
      store: false,
      reasoning: { effort: 'low', summary: 'auto' },
      input: [
        { role: 'user', content: [{ type: 'input_text' }, { type: 'input_image', image_url: image }] },
        { role: 'assistant', content: 'I look.' },
        { type: 'function_call', call_id: 'c1', name: 'look', arguments: '{"at":1}' },
        { type: 'function_call_output', call_id: 'c1', output: 'a cat' },
      ],
    });
    expect(bodies.responses).not.toHaveProperty('stop');
  });

  test('of Gemini', () => {
    expect(bodies.gemini).toEqual({
      model: 'm',
      systemInstruction: { parts: [{ text: 'Be brief.' }] },
      generationConfig: {
        maxOutputTokens: 50,
        temperature: 0.5,
        stopSequences: ['END', 'STOP'],
        thinkingConfig: { includeThoughts: true, thinkingLevel: 'LOW' },
      },
      tools: [
        {
          functionDeclarations: [
            { name: 'look', description: 'Looks.', parametersJsonSchema: { type: 'object' } },
          ],
        },
      ],
      contents: [
        {
          role: 'user',
          parts: [{ inlineData: { mimeType: 'image/png', data: 'QUJD' } }, { text: 'What is it?' }],
        },
        {
          role: 'model',
          parts: [{ text: 'I look.' }, { functionCall: { id: 'c1', name: 'look', args: { at: 1 } } }],
        },
        {
          role: 'user',
          parts: [{ functionResponse: { id: 'c1', name: 'look', response: { output: 'a cat' } } }],
        },
      ],
    });
  });

  test('leave out what is not asked for', () => {
    const bare = {
      ...emptyDraft.settings,
      model: 'm',
      dialect: 'chat' as const,
      maxTokens: '',
      stream: false,
    };
    const asked: Turn[] = [{ role: 'user', text: 'hi', images: [] }];
    const [messages, responses, chat, gemini] = dialects.map(({ write }) => write(bare, asked, []));
    expect(gemini).toEqual({ model: 'm', contents: [{ role: 'user', parts: [{ text: 'hi' }] }] });
    expect(messages).toEqual({ model: 'm', max_tokens: 4096, messages: [{ role: 'user', content: 'hi' }] });
    expect(responses).toEqual({ model: 'm', input: [{ role: 'user', content: 'hi' }], store: false });
    expect(chat).toEqual({ model: 'm', messages: [{ role: 'user', content: 'hi' }] });
  });
});

const chunk = (parts: unknown[], more = {}) => ({
  candidates: [{ content: { role: 'model', parts }, ...more }],
});

const events: Record<string, unknown[]> = {
  gemini: [
    chunk([{ text: 'hm', thought: true }]),
    chunk([{ text: 'Hel' }]),
    chunk([{ text: 'lo' }]),
    chunk([{ functionCall: { id: 'c1', name: 'look', args: { at: 1 } }, thoughtSignature: 'sig' }]),
    chunk([{ text: '' }], { finishReason: 'STOP' }),
  ],
  messages: [
    { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'hm' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'sig' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'Hel' } },
    { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'lo' } },
    {
      type: 'content_block_start',
      index: 2,
      content_block: { type: 'tool_use', id: 'c1', name: 'look', input: {} },
    },
    { type: 'content_block_delta', index: 2, delta: { type: 'input_json_delta', partial_json: '{"at":' } },
    { type: 'content_block_delta', index: 2, delta: { type: 'input_json_delta', partial_json: '1}' } },
    { type: 'content_block_stop', index: 2 },
    { type: 'message_delta', delta: { stop_reason: 'tool_use' } },
  ],
  chat: [
    { choices: [{ delta: { role: 'assistant', reasoning_content: 'hm' } }] },
    { choices: [{ delta: { content: 'Hel' } }] },
    { choices: [{ delta: { content: 'lo' } }] },
    {
      choices: [
        { delta: { tool_calls: [{ index: 0, id: 'c1', function: { name: 'look', arguments: '{"at":' } }] } },
      ],
    },
    { choices: [{ delta: { tool_calls: [{ index: 0, function: { arguments: '1}' } }] } }] },
    { choices: [{ delta: {}, finish_reason: 'tool_calls' }] },
    { choices: [], usage: {} },
  ],
  responses: [
    { type: 'response.output_item.added', output_index: 0, item: { type: 'reasoning', summary: [] } },
    { type: 'response.reasoning_summary_text.delta', output_index: 0, delta: 'hm' },
    { type: 'response.output_item.added', output_index: 1, item: { type: 'message', content: [] } },
    { type: 'response.output_text.delta', output_index: 1, delta: 'Hel' },
    { type: 'response.output_text.delta', output_index: 1, delta: 'lo' },
    {
      type: 'response.output_item.added',
      output_index: 2,
      item: { type: 'function_call', call_id: 'c1', name: 'look', arguments: '' },
    },
    { type: 'response.function_call_arguments.delta', output_index: 2, delta: '{"at":1}' },
  ],
};

test('reads the streams of all dialects alike', () => {
  for (const { id, reader } of dialects) {
    const reading = reader();
    const answers = events[id]!.map((event) => reading.readEvent(event));
    expect([id, answers.at(-1)]).toMatchObject([
      id,
      { text: 'Hello', thinking: 'hm', calls: [{ id: 'c1', name: 'look', input: '{"at":1}' }] },
    ]);
  }
});

test('sends the thinking of the messages API back with its signature', () => {
  const [messages] = dialects;
  const reading = messages!.reader();
  const answer = events.messages!.map((event) => reading.readEvent(event)).at(-1)!;
  expect(reading.stopReason()).toBe('tool_use');
  const body = messages!.write(settings, [answer], []);
  expect(body.messages).toEqual([
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'hm', signature: 'sig' },
        { type: 'text', text: 'Hello' },
        { type: 'tool_use', id: 'c1', name: 'look', input: { at: 1 } },
      ],
    },
  ]);
});

test('reads whole answers', () => {
  const whole = {
    messages: { content: [{ type: 'text', text: 'Hello' }], stop_reason: 'end_turn' },
    responses: {
      output: [{ type: 'message', content: [{ type: 'output_text', text: 'Hello' }] }],
      status: 'completed',
    },
    chat: { choices: [{ message: { content: 'Hello' }, finish_reason: 'stop' }] },
    gemini: chunk([{ text: 'Hello' }], { finishReason: 'STOP' }),
  };
  for (const { id, reader } of dialects) {
    const reading = reader();
    expect([id, reading.readWhole(whole[id]).text]).toEqual([id, 'Hello']);
    expect(reading.stopReason()).not.toBeNull();
  }
});

test('sends the parts of Gemini back with their signatures, and calls without ids as they came', () => {
  const gemini = dialectOf(dialectOfRoute('/v1beta/models/{id*}:streamGenerateContent')!);
  const reading = gemini.reader();
  const call = { functionCall: { name: 'look', args: {} }, thoughtSignature: 'sig' };
  const answer = reading.readWhole(chunk([call], { finishReason: 'STOP' }));
  const results = [{ id: answer.calls[0]!.id, name: 'look', text: 'a cat' }];
  const { contents } = gemini.write(settings, [answer, { role: 'tool', results }], []);
  expect(contents).toEqual([
    { role: 'model', parts: [call] },
    { role: 'user', parts: [{ functionResponse: { name: 'look', response: { output: 'a cat' } } }] },
  ]);
  const next = gemini.reader().readWhole(chunk([call], { finishReason: 'STOP' }));
  expect(next.calls[0]!.id).not.toBe(answer.calls[0]!.id);
  const paths = [true, false].map((stream) => endpointOf(gemini, { stream }));
  expect(paths).toEqual(['gemini-stream', 'gemini']);
});
