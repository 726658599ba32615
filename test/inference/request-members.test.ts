import { afterAll, describe, expect, test } from 'bun:test';
import { MEDIA_URLS, reservedFields } from '../../src/translation/canonical/reserved-field.ts';
import { bearer, type Json } from '../support/call.ts';
import { innerMediaAddresses } from '../support/inner-media-addresses.ts';
import {
  type DialectName,
  type Fields,
  type MemberDialect,
  type MemberWire,
  memberDialects,
  startMemberServer,
} from '../support/start-member-server.ts';
import { ableModel } from '../support/wire-models.ts';

const { server, upstream, key, ask, sent, expectRefused, stop } = await startMemberServer(
  { plain: {}, consenting: { provider: { allow_fields: reservedFields } } },
  {
    models: [
      ableModel('either', [
        { provider: 'hidden-plain-openai-chat', model: 'hidden-first' },
        { provider: 'hidden-consenting-openai-chat', model: 'hidden-second' },
      ]),
    ],
  },
);
afterAll(stop);
const dialects: Record<DialectName, MemberDialect> = memberDialects;
const names = Object.keys(dialects) as DialectName[];
const idOf = (kind: 'plain' | 'consenting', wire: MemberWire) => `${kind}-${wire}`;
const spelled = (name: string): string => name.replace(/^./, (letter) => letter.toUpperCase());

describe('a member that differs from a known one only in case', () => {
  const values: Fields = {
    model: 'other',
    stream: true,
    temperature: 2,
    top_p: 0.1,
    user: 'u',
    max_tokens: 90_000,
    service_tier: 'priority',
    models: ['other'],
    api_base: 'http://a',
    container: 'c',
  };
  for (const name of names) {
    for (const [member, value] of Object.entries(values)) {
      test(`never reaches an upstream: ${spelled(member)} on ${name} [CHT-20]`, async () => {
        const { own, other, base } = dialects[name];
        const variants = [spelled(member), member.toUpperCase()];
        const fields = Object.fromEntries(variants.map((variant) => [variant, value]));
        const asSent = await sent(name, idOf('plain', own), {});
        const { body, losses } = await sent(name, idOf('plain', own), { ...fields, later_Field: 1 });
        expect({ body, losses }).toEqual({ body: { ...asSent.body, later_Field: 1 }, losses: null });
        const translated = await sent(name, idOf('plain', other), fields);
        expect(translated.body).toEqual((await sent(name, idOf('plain', other), {})).body);
        expect(base).not.toHaveProperty(variants[0]!);
      });
    }
  }

  test('is also recognized with letters that fold to it: the long s, the Kelvin sign [CHT-20]', async () => {
    const fields = { ſtream: true, logit_biaſ: {}, 'top_\u212a': 1, N: 3, Max_Tokens: 5, maxTokens: 5 };
    const { body } = await sent('chat', 'plain-openai-chat', fields);
    expect(Object.keys(body)).toEqual(['model', 'messages', 'maxTokens']);
  });
});

describe('another name of the output ceiling', () => {
  const own: Record<DialectName, string[]> = {
    messages: ['max_tokens'],
    chat: ['max_tokens', 'max_completion_tokens'],
    responses: ['max_output_tokens'],
    completions: ['max_tokens'],
  };
  const ceilings = [
    'max_new_tokens',
    'max_output_tokens',
    'max_completion_tokens',
    'max_tokens_to_sample',
    'max_tokens',
    'maxOutputTokens',
    'num_predict',
    'MaxOutputTokens',
    'NUM_PREDICT',
  ];
  for (const name of names) {
    test(`never reaches an upstream on ${name} [CHT-20]`, async () => {
      const foreign = ceilings.filter((ceiling) => !own[name].includes(ceiling));
      const fields = Object.fromEntries(foreign.map((ceiling) => [ceiling, 90_000]));
      for (const wire of [dialects[name].own, dialects[name].other]) {
        const { body, losses } = await sent(name, idOf('plain', wire), fields);
        const plain = await sent(name, idOf('plain', wire), {});
        expect({ body, losses }).toEqual({ body: plain.body, losses: null });
      }
    });
  }
});

const reserved: Fields = {
  models: ['a'],
  provider: { order: ['a'] },
  route: 'fallback',
  plugins: [{ id: 'web' }],
  transforms: ['middle-out'],
  fallbacks: [{ model: 'hidden-second' }],
  api_base: 'http://a',
  api_key: 'k',
  base_url: 'http://a',
  api_version: '1',
  custom_llm_provider: 'a',
  model_list: [{}],
  extra_body: { a: 1 },
  extra_headers: { a: 'b' },
  router: 'a',
  user_config: { a: 1 },
  preset: 'a',
  providerOptions: { gateway: { only: ['a'] } },
  litellm_params: { a: 1 },
  aws_role_name: 'a',
  file_id: 'f',
  file_ids: ['f'],
  vector_store_ids: ['v'],
  container: 'c',
  thread_id: 't',
  mcp_servers: [{ type: 'url', url: 'https://a.example' }],
  assistant_id: 'a',
  skills: ['s'],
  cached_content: 'c',
  tool_resources: { a: 1 },
  data_sources: [{ type: 'a' }],
  user_profile_id: 'u',
  conversation: 'conv_1', // on the responses dialect it is the gateway's own
  access_programs: { cyber: 'daybreak_blue' },
};

describe('a member that reaches beyond the model', () => {
  for (const [member, value] of Object.entries(reserved)) {
    for (const name of names.filter((one) => member !== 'conversation' || one !== 'responses')) {
      test(`is refused unless the provider's row names it: ${member} on ${name} [CHT-21]`, async () => {
        const { own, other } = dialects[name];
        for (const wire of [own, other])
          expectRefused(await ask(name, idOf('plain', wire), { [member]: value }), 422, member);
        const { body } = await sent(name, idOf('consenting', own), { [member]: value });
        expect(body[member]).toEqual(value);
      });
    }
  }

  test('is ignored if it is empty [CHT-21]', async () => {
    for (const value of [null, [], {}])
      await sent('messages', 'plain-anthropic-messages', { mcp_servers: value, container: null });
  });

  test('is sent only to a target that allows it [CHT-21]', async () => {
    for (let round = 0; round < 3; round++) await sent('chat', 'either', { provider: { order: ['a'] } });
    expect(upstream.models()).toEqual(['hidden-second']);
  });

  test('is reported before later faults of the body [CHT-21]', async () => {
    const fields = { api_key: 'k', best_of: 3, models: ['a'] };
    for (const first of Object.keys(fields) as (keyof typeof fields)[]) {
      const ordered = { [first]: fields[first], ...fields };
      expectRefused(await ask('completions', 'plain-openai-completions', ordered), 422, first);
    }
  });

  test('can be a stored prompt, which needs no input where it is allowed [CHT-21]', async () => {
    const prompt = { id: 'pmpt_1' };
    expectRefused(await ask('responses', 'plain-openai-responses', { prompt }), 422, 'prompt.id');
    const { body } = await sent('responses', 'consenting-openai-responses', { prompt, input: undefined });
    expect({ prompt: body.prompt, input: body.input }).toEqual({ prompt, input: undefined });
    expectRefused(await ask('responses', 'plain-openai-responses', { input: undefined }), 400, 'input');
    expectRefused(await ask('responses', 'consenting-openai-chat', { prompt }), 422, 'prompt');
  });

  test('can be a header of the vendor [CHT-21]', async () => {
    for (const header of ['anthropic-workspace-id', 'anthropic-user-profile-id']) {
      const headers = { [header]: 'w' };
      for (const wire of ['anthropic-messages', 'openai-chat'] as const)
        expectRefused(await ask('messages', idOf('plain', wire), {}, headers), 422, header);
      const { headers: got } = await sent('messages', 'consenting-anthropic-messages', {}, headers);
      expect(got.get(header)).toBe('w');
      const translated = await sent('messages', 'consenting-openai-chat', {}, headers);
      expect(translated.headers.get(header)).toBeNull();
      // In another dialect it means nothing.
      expect((await sent('chat', 'plain-openai-chat', {}, headers)).headers.get(header)).toBeNull();
    }
  });

  test('is refused by token counts [CHT-21]', async () => {
    upstream.forget();
    const call = (fields: Fields) =>
      server.call('/v1/messages/count_tokens', {
        headers: bearer(key),
        body: { model: 'plain-anthropic-messages', ...dialects.messages.base, ...fields },
      });
    expectRefused(await call({ mcp_servers: [{ url: 'https://a.example' }] }), 422, 'mcp_servers');
    expect((await call({ speed: 'fast' })).status).toBe(200);
  });
});

const textTool = {
  chat: { type: 'function', function: { name: 'f', parameters: { type: 'object' } } },
  messages: { name: 'f', input_schema: { type: 'object' } },
  responses: { type: 'function', name: 'f', parameters: { type: 'object' } },
};

/** A request that names an account object within a turn or a tool, and its path. */
const nested: readonly (readonly [Exclude<DialectName, 'completions'>, Fields, string])[] = [
  [
    'chat',
    dialects.chat.says([{ type: 'file', file: { file_id: 'f' } }]),
    'messages[0].content[0].file.file_id',
  ],
  [
    'chat',
    {
      messages: [
        { role: 'user', content: 'hi' },
        { role: 'assistant', content: 'a', audio: { id: 'a' } },
        { role: 'user', content: 'hi' },
      ],
    },
    'messages[1].audio.id',
  ],
  [
    'messages',
    dialects.messages.says([{ type: 'image', source: { type: 'file', file_id: 'f' } }]),
    'messages[0].content[0].source.file_id',
  ],
  [
    'messages',
    dialects.messages.says([{ type: 'document', source: { type: 'file', file_id: 'f' } }]),
    'messages[0].content[0].source.file_id',
  ],
  [
    'messages',
    dialects.messages.says([{ type: 'container_upload', file_id: 'f' }]),
    'messages[0].content[0].file_id',
  ],
  [
    'responses',
    dialects.responses.says([{ type: 'input_file', file_id: 'f' }]),
    'input[0].content[0].file_id',
  ],
  [
    'responses',
    dialects.responses.says([{ type: 'input_image', file_id: 'f' }]),
    'input[0].content[0].file_id',
  ],
  [
    'responses',
    {
      input: [
        { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
        { type: 'function_call_output', call_id: 'c', output: [{ type: 'input_image', file_id: 'f' }] },
      ],
    },
    'input[1].output[0].file_id',
  ],
  [
    'responses',
    { tools: [textTool.responses, { type: 'file_search', vector_store_ids: ['v'] }] },
    'tools[1].vector_store_ids',
  ],
  [
    'responses',
    { tools: [textTool.responses, { type: 'code_interpreter', container: 'c' }] },
    'tools[1].container',
  ],
  [
    'responses',
    { tools: [{ type: 'code_interpreter', container: { type: 'auto', file_ids: ['f'] } }] },
    'tools[0].container.file_ids',
  ],
  [
    'responses',
    { tools: [{ type: 'shell', environment: { type: 'container_reference', container_id: 'c' } }] },
    'tools[0].environment.container_id',
  ],
];

describe('a named object of the vendor account', () => {
  for (const [name, fields, param] of nested) {
    test(`in ${param} of ${name} is refused with its whole path [CHT-21]`, async () => {
      const { own, other } = dialects[name];
      for (const wire of [own, other])
        expectRefused(await ask(name, idOf('plain', wire), fields), 422, param);
      if (param.startsWith('tools')) return; // their price is another matter
      const { body } = await sent(name, idOf('consenting', own), fields);
      for (const member of Object.keys(fields)) expect(body[member]).toEqual(fields[member]);
    });
  }

  test("is allowed within the client's own tools", async () => {
    const properties = { file_id: { type: 'string' }, container: { type: 'string' } };
    const fields = {
      tools: [{ name: 'f', input_schema: { type: 'object', properties } }],
      messages: [
        { role: 'user', content: 'hi' },
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 'c', name: 'f', input: { file_id: 'mine', container: 'c' } }],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: 'ok' }] },
      ],
    };
    const { body } = await sent('messages', 'plain-anthropic-messages', fields);
    expect(body.tools).toEqual(fields.tools);
    expect(body.messages).toEqual(fields.messages);
  });

  test('is found whatever type its parent claims', async () => {
    for (const type of ['x_call', 'text']) {
      const part = { type: 'file', file: { file_id: 'f', type } };
      const messages = [{ role: 'user', type, content: [part] }];
      const answer = await ask('chat', 'plain-openai-chat', { messages });
      expectRefused(answer, 422, 'messages[0].content[0].file.file_id');
    }
  });
});

const onInternet = 'https://pictures.example/a.png';
const mediaParts = {
  chat: (url: string) => [{ type: 'image_url', image_url: { url } }],
  messages: (url: string) => [{ type: 'image', source: { type: 'url', url } }],
  responses: (url: string) => [{ type: 'input_image', image_url: url }],
} satisfies Partial<Record<DialectName, (url: string) => Json[]>>;
const mediaPaths = {
  chat: 'messages[0].content[0].image_url.url',
  messages: 'messages[0].content[0].source.url',
  responses: 'input[0].content[0].image_url',
};

describe('a media URL', () => {
  for (const name of ['chat', 'messages', 'responses'] as const) {
    test(`within a network, with a numeric host or with credentials is refused on ${name}`, async () => {
      const { own, other, says } = dialects[name];
      for (const url of innerMediaAddresses) {
        for (const wire of [own, other]) {
          const answer = await ask(name, idOf('consenting', wire), says(mediaParts[name](url)));
          expectRefused(answer, 400, mediaPaths[name]);
        }
      }
    });

    test(`is not sent to a server in the operator's network unless its row allows it, on ${name}`, async () => {
      const { own, other, says } = dialects[name];
      const fields = says(mediaParts[name](onInternet));
      for (const wire of [own, other])
        expectRefused(await ask(name, idOf('plain', wire), fields), 400, mediaPaths[name]);
      const { body } = await sent(name, idOf('consenting', own), fields);
      expect(JSON.stringify(body)).toContain(onInternet);
    });
  }

  test('is sent to another target that accepts it', async () => {
    await sent('chat', 'either', dialects.chat.says(mediaParts.chat(onInternet)));
    expect(upstream.models()).toEqual(['hidden-second']);
  });

  test('is found in every member that readers use', async () => {
    const url = 'http://10.0.0.1/a';
    const parts: readonly (readonly [Json, string])[] = [
      [{ type: 'video_url', video_url: { url } }, 'video_url.url'],
      [{ type: 'video_url', video_url: { URL: url } }, 'video_url.URL'],
      [{ type: 'video_url', video_url: { url: 'file:///etc/passwd' } }, 'video_url.url'],
      [{ type: 'document_url', document_url: url }, 'document_url'],
      [{ type: 'file', file: { file_data: url } }, 'file.file_data'],
    ];
    for (const [part, path] of parts) {
      const answer = await ask('chat', 'consenting-openai-chat', dialects.chat.says([part]));
      expectRefused(answer, 400, `messages[0].content[0].${path}`);
    }
    const file = { type: 'input_file', file_url: url };
    const answer = await ask('responses', 'consenting-openai-responses', dialects.responses.says([file]));
    expectRefused(answer, 400, 'input[0].content[0].file_url');
    const source = { type: 'content', content: mediaParts.messages(url) };
    const inner = await ask(
      'messages',
      'consenting-anthropic-messages',
      dialects.messages.says([{ type: 'document', source }]),
    );
    expectRefused(inner, 400, 'messages[0].content[0].source.content[0].source.url');
  });

  test('in plain text is not treated as one', async () => {
    const text = 'see http://10.0.0.1/a and {"url":"http://localhost"}';
    await sent('chat', 'plain-openai-chat', { messages: [{ role: 'user', content: text }] });
    const block = {
      type: 'search_result',
      source: 'http://wiki.internal/a',
      title: 't',
      content: [{ type: 'text', text: 'a' }],
    };
    const { body } = await sent('messages', 'plain-anthropic-messages', dialects.messages.says([block]));
    expect(body.messages[0].content).toEqual([block]);
    expect(reservedFields).toContain(MEDIA_URLS);
  });
});
