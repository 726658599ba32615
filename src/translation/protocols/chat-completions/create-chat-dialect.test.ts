import { expect, test } from 'bun:test';
import { acceptedOrError } from '../../../base/errors/accepted-or-error.ts';
import { Refusal } from '../../../base/errors/refusal.ts';
import { parseBodyAtOnce } from '../../../base/json/parse-body.ts';
import type { InferenceRequest } from '../../contract/inference-request.ts';
import { createChatDialect } from './create-chat-dialect.ts';
import { type Fitted, fitHost } from './fit-host.ts';

const dialect = createChatDialect();
const bodyOf = (fields: object) => {
  return acceptedOrError(parseBodyAtOnce(JSON.stringify({ model: 'm', messages: [user('hi')], ...fields })));
};
const user = (content: unknown) => ({ role: 'user', content });
const tools = [{ type: 'function', function: { name: 'f' } }];

const wrong: [fields: object, param: string][] = [
  [{ messages: [] }, 'messages'],
  [{ messages: [{ role: 'boss', content: 'x' }] }, 'messages[0].role'],
  [{ messages: [user([{ type: 'image_url' }])] }, 'messages[0].content[0].image_url'],
  [
    { messages: [user([{ type: 'image_url', image_url: { url: 'x' } }])] },
    'messages[0].content[0].image_url.url',
  ],
  [{ messages: [user([{ type: 'input_image' }])] }, 'messages[0].content[0].type'],
  [{ messages: [user([{ type: 'text' }])] }, 'messages[0].content[0].text'],
  [{ messages: [user('x'), { role: 'tool', content: 'x' }] }, 'messages[1].tool_call_id'],
  [
    { messages: [{ role: 'assistant', tool_calls: [{ id: 'c', type: 'function' }] }] },
    'messages[0].tool_calls[0].function',
  ],
  [{ temperature: 'hot' }, 'temperature'],
  [{ top_p: 2 }, 'top_p'],
  [{ max_tokens: 0 }, 'max_tokens'],
  [{ stop: ['a', 'b', 'c', 'd', 'e'] }, 'stop'],
  [{ n: 0 }, 'n'],
  [{ top_logprobs: 2 }, 'top_logprobs'],
  [{ response_format: { type: 5 } }, 'response_format.type'],
  [{ response_format: { type: 'json_schema' } }, 'response_format.json_schema'],
  [{ tools: [{ type: 'function' }] }, 'tools[0].function'],
  [{ tools, tool_choice: 'maybe' }, 'tool_choice'],
  [{ tools, tool_choice: { type: 'function', function: { name: 'g' } } }, 'tool_choice'],
  [{ tool_choice: 'required' }, 'tool_choice'],
  [{ functions: [{ name: 'f' }], function_call: { name: 'g' } }, 'function_call'],
  [{ function_call: { name: 'f' } }, 'function_call'],
  [{ tools, function_call: { name: 'f' } }, 'function_call'],
  [{ tools: [], functions: [{ name: 'f' }], function_call: { name: 'g' } }, 'function_call'],
  [{ functions: [{ name: 'f' }], tool_choice: 'required' }, 'tool_choice'],
  [{ logit_bias: 1 }, 'logit_bias'],
  [{ modalities: 'text' }, 'modalities'],
];

for (const [fields, param] of wrong) {
  test(`names ${param} in ${JSON.stringify(fields).slice(0, 90)} on every wire`, () => {
    const body = bodyOf(fields);
    const asItIs = dialect.read(body) as Refusal;
    const translated = dialect.codec!.decodeRequest(body) as Refusal;
    expect({ code: asItIs.code, param: asItIs.param }).toEqual({ code: 'invalid_request', param });
    expect({ code: translated.code, param: translated.param, message: translated.message }).toEqual({
      code: asItIs.code,
      param: asItIs.param,
      message: asItIs.message,
    });
  });
}

test('passes host-specific fields to their hosts only', () => {
  const video = bodyOf({ messages: [user([{ type: 'video_url', video_url: { url: 'https://a/b' } }])] });
  expect(dialect.read(video)).not.toBeInstanceOf(Refusal);
  expect(dialect.codec!.decodeRequest(video)).toMatchObject({
    turns: [{ parts: [{ kind: 'opaque', issuer: 'chat-completions' }] }],
  });
  const grammar = bodyOf({ response_format: { type: 'grammar', grammar: 'root ::= "a"' } });
  expect(dialect.read(grammar)).not.toBeInstanceOf(Refusal);
});

test('treats null as absent and accepts unknown fields', () => {
  const fields = {
    tool_choice: null,
    tools: null,
    functions: null,
    function_call: null,
    stop: null,
    metadata: null,
  };
  for (const read of [dialect.read, dialect.codec!.decodeRequest]) {
    expect(read(bodyOf({ ...fields, top_logprobs: 0, tomorrow: { a: 1 } }))).not.toBeInstanceOf(Refusal);
  }
});

test('sends the same token limit under both of its names', () => {
  const target = { upstreamModel: 'up', reasoning: false, reasoningEfforts: [], maxOutput: 100 };
  const sent = (fields: object, quirk: 'max-tokens-only' | 'max-completion-tokens-only') => {
    const request = dialect.read(bodyOf(fields)) as InferenceRequest;
    const { max_tokens, max_completion_tokens } = JSON.parse(
      (fitHost(dialect.patchRequest(request, 'up', target as never) as string, [quirk]) as Fitted).body,
    );
    return max_tokens ?? max_completion_tokens;
  };
  for (const [older, newer, counts] of [
    [90, 5, 5],
    [5, 90, 90],
    [null, 5, 5],
    [5, null, 5],
    [undefined, 500, 100],
    [500, null, 100],
    [null, null, undefined],
  ]) {
    const fields = { max_tokens: older, max_completion_tokens: newer };
    for (const quirk of ['max-tokens-only', 'max-completion-tokens-only'] as const)
      expect([older, newer, sent(fields, quirk) ?? undefined]).toEqual([older, newer, counts]);
  }
});
