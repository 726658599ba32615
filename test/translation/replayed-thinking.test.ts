import { afterAll, beforeEach, describe, expect, test } from 'bun:test';
import { bearer, type Json } from '../support/call.ts';
import { expectOk } from '../support/expect-ok.ts';
import { startRecordingUpstream } from '../support/recording-upstream.ts';
import { startServer } from '../support/start-server.ts';
import { ableModel } from '../support/wire-models.ts';

const THOUGHT = 'The harbour is asked for, so I look it up.';
const upstream = startRecordingUpstream();
const server = await startServer({
  config: {
    simulator: { mode: 'off' },
    providers: [
      {
        id: 'hidden-deepseek',
        wire: 'openai-chat',
        base_url: upstream.url,
        api_key: 'key',
        quirks: ['replays-reasoning', 'thinking-by-type'],
      },
    ],
    catalog: {
      default: false,
      models: [ableModel('thinker', [{ provider: 'hidden-deepseek', model: 'hidden-thinker' }])],
    },
  },
});
afterAll(async () => {
  await server.stop();
  await upstream.stop();
});
const { key } = await server.createKey('enterprise');

/** Thinks and calls a tool in the first turn, and answers in later ones. */
upstream.answer('hidden-thinker', ({ body }) => {
  const isFirst = !(body.messages as Json[]).some(({ role }) => role === 'tool');
  const call = { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{}' } };
  return Response.json({
    id: 'x',
    object: 'chat.completion',
    created: 1,
    model: 'x',
    choices: [
      {
        index: 0,
        finish_reason: isFirst ? 'tool_calls' : 'stop',
        message: {
          role: 'assistant',
          content: isFirst ? null : 'A harbour.',
          reasoning_content: THOUGHT,
          ...(isFirst && { tool_calls: [call] }),
        },
      },
    ],
    usage: { prompt_tokens: 9, completion_tokens: 9, total_tokens: 18 },
  });
});
beforeEach(() => upstream.forget());

const schema = { type: 'object', properties: {} };
const question = { role: 'user', content: 'Where is it?' };
const ask = async (path: string, body: Json): Promise<Json> => {
  const answer = await server.call(path, { headers: bearer(key), body: { model: 'thinker', ...body } });
  expectOk(answer);
  return answer.body;
};

/** Each converses over three turns with the answers as its client returns them. */
const conversations: Record<string, (keeps: boolean) => Promise<unknown>> = {
  async chat(keeps) {
    const tools = [{ type: 'function', function: { name: 'look', parameters: schema } }];
    const turn = async (messages: Json[]): Promise<Json[]> => {
      const { choices } = await ask('/v1/chat/completions', { messages, tools });
      const { reasoning_content, reasoning: _same, ...message } = choices[0].message;
      return [...messages, keeps ? { ...message, reasoning_content } : message];
    };
    const called = await turn([question]);
    const answered = await turn([...called, { role: 'tool', tool_call_id: 'call_1', content: 'north' }]);
    await turn([...answered, question]);
  },
  async messages(keeps) {
    const tools = [{ name: 'look', input_schema: schema }];
    const thinking = { type: 'enabled', budget_tokens: 1_024 };
    const turn = async (messages: Json[]): Promise<Json[]> => {
      const { content } = await ask('/v1/messages', { messages, tools, thinking, max_tokens: 4_000 });
      const kept = keeps ? content : content.filter(({ type }: Json) => type !== 'thinking');
      return [...messages, { role: 'assistant', content: kept }];
    };
    const called = await turn([question]);
    const id = called.at(-1)!.content.find(({ type }: Json) => type === 'tool_use').id;
    const result = { type: 'tool_result', tool_use_id: id, content: 'north' };
    const answered = await turn([...called, { role: 'user', content: [result] }]);
    await turn([...answered, question]);
  },
  async responses(keeps) {
    const tools = [{ type: 'function', name: 'look', parameters: schema }];
    const turn = async (input: Json[]): Promise<Json[]> => {
      const reasoning = { effort: 'high', summary: 'auto' };
      const { output } = await ask('/v1/responses', { input, tools, reasoning, store: false });
      return [...input, ...output.filter(({ type }: Json) => keeps || type !== 'reasoning')];
    };
    const called = await turn([question]);
    const { call_id } = called.find(({ type }) => type === 'function_call')!;
    const answered = await turn([...called, { type: 'function_call_output', call_id, output: 'north' }]);
    await turn([...answered, question]);
  },
};

const replayed = (): unknown[] =>
  (upstream.requests.at(-1)!.body.messages as Json[])
    .filter(({ role }) => role === 'assistant')
    .map(({ reasoning_content }) => reasoning_content);

describe('a host that requires the thinking of earlier turns with tools gets it', () => {
  for (const [name, converse] of Object.entries(conversations)) {
    test(`as the client of ${name} returned it`, async () => {
      await converse(true);
      expect(replayed()).toEqual([THOUGHT, THOUGHT]);
    });

    test(`empty, where the client of ${name} did not return it`, async () => {
      await converse(false);
      expect(replayed()).toEqual(['', '']);
    });
  }

  test('from the stored response that a client continues', async () => {
    const tools = [{ type: 'function', name: 'look', parameters: schema }];
    const reasoning = { effort: 'high' };
    const first = await ask('/v1/responses', { input: 'Where is it?', tools, reasoning });
    const { call_id } = first.output.find(({ type }: Json) => type === 'function_call');
    const input = [{ type: 'function_call_output', call_id, output: 'north' }];
    await ask('/v1/responses', { previous_response_id: first.id, input, tools, reasoning });
    expect(replayed()).toEqual([THOUGHT]);
  });
});
