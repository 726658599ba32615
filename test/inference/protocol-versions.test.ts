import { afterAll, beforeEach, describe, expect, test } from 'bun:test';
import { answerAnyWire } from '../support/answer-any-wire.ts';
import { bearer, type Json } from '../support/call.ts';
import { startRecordingUpstream } from '../support/recording-upstream.ts';
import { startServer } from '../support/start-server.ts';
import { waitFor } from '../support/wait-for.ts';
import { ableModel, chatWires } from '../support/wire-models.ts';

const upstream = startRecordingUpstream();
const server = await startServer({
  config: {
    simulator: { mode: 'off' },
    providers: chatWires.map((wire) => ({
      id: `hidden-${wire}`,
      wire,
      base_url: upstream.url,
      api_key: 'key',
    })),
    catalog: {
      default: false,
      models: chatWires.map((wire) =>
        ableModel(`on-${wire}`, [{ provider: `hidden-${wire}`, model: `hidden-${wire}` }]),
      ),
    },
  },
});
afterAll(async () => {
  await server.stop();
  await upstream.stop();
});
for (const wire of chatWires) upstream.answer(`hidden-${wire}`, answerAnyWire);
beforeEach(() => upstream.forget());
const { key } = await server.createKey('enterprise');

const NEW = '2026-10-21';
const ask = (path: string, body: Json, version?: string) =>
  server.call(path, {
    headers: { 'x-api-key': key, ...(version !== undefined && { 'anthropic-version': version }) },
    body,
  });

const document = {
  type: 'document',
  title: 'Notes',
  source: { type: 'text', media_type: 'text/plain', data: 'The harbour is closed.' },
};
const user = { role: 'user', content: 'Hi.' };
const bodyOf = (fields: Json = {}, wire = 'anthropic-messages'): Json => ({
  model: `on-${wire}`,
  max_tokens: 50,
  messages: [user],
  ...fields,
});

const removed: [what: string, fields: Json, param: string][] = [
  ['temperature', { temperature: 0.2 }, 'temperature'],
  ['top_p', { top_p: 0.9 }, 'top_p'],
  ['top_k', { top_k: 4 }, 'top_k'],
  [
    'a document of an assistant turn',
    { messages: [user, { role: 'assistant', content: [{ type: 'text', text: 'Here.' }, document] }, user] },
    'messages[1].content[1]',
  ],
  [
    'citations of a document',
    { messages: [{ role: 'user', content: [{ ...document, citations: { enabled: true } }] }] },
    'messages[0].content[0].citations',
  ],
  [
    'citations of a document in the result of a tool',
    {
      messages: [
        user,
        { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'read', input: {} }] },
        {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              tool_use_id: 'toolu_1',
              content: [{ ...document, citations: { enabled: true } }],
            },
          ],
        },
      ],
      tools: [{ name: 'read', input_schema: { type: 'object' } }],
    },
    'messages[2].content[0].content[0].citations',
  ],
];

describe('a member that anthropic-version 2026-10-21 removed', () => {
  for (const [what, fields, param] of removed)
    test(`is refused before any call, on every wire: ${what}`, async () => {
      for (const wire of chatWires) {
        for (const version of [NEW, '2027-01-01']) {
          const { status, body } = await ask('/v1/messages', bodyOf(fields, wire), version);
          expect({ wire, status, type: body.error.type }).toEqual({
            wire,
            status: 400,
            type: 'invalid_request_error',
          });
          expect(body.error.message).toStartWith(`${param}: `);
        }
      }
      expect(upstream.requests).toEqual([]);
    });

  test.each(removed)('is accepted by earlier versions: %s', async (_, fields) => {
    for (const version of [undefined, '2023-06-01', '2026-10-20', 'latest', ''])
      expect((await ask('/v1/messages', bodyOf(fields), version)).status).toBe(200);
    for (const wire of chatWires.slice(0, 3)) {
      const answer = await ask('/v1/messages', bodyOf(fields, wire));
      expect(answer.status, `${wire}: ${answer.text}`).toBe(200);
    }
  });

  test.each(removed)('is refused in a count and in a quote: %s', async (_, fields, param) => {
    const { max_tokens: _most, ...counted } = bodyOf(fields);
    const count = await ask('/v1/messages/count_tokens', counted, NEW);
    expect(count.status).toBe(400);
    expect(count.body.error.message.split(': ')[0]).toEqual(param);
    expect((await ask('/v1/messages/count_tokens', counted)).status).toBe(200);
    expect((await ask('/v1/quote', bodyOf(fields), NEW)).status).toBe(400);
  });

  test('makes the item of a batch an error, and the other items are answered', async () => {
    const items = [bodyOf({ temperature: 0.2 }), bodyOf()];
    const requests = items.map((params, index) => ({ custom_id: `item-${index}`, params }));
    const created = await ask('/v1/messages/batches', { requests }, NEW);
    expect(created.status).toBe(200);
    const path = `/v1/messages/batches/${created.body.id}`;
    const read = () => server.call(path, { method: 'GET', headers: { 'x-api-key': key } });
    await waitFor(async () => (await read()).body.processing_status === 'ended');
    const { text } = await server.call(`${path}/results`, { method: 'GET', headers: { 'x-api-key': key } });
    const results = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
      .toSorted((one, other) => one.custom_id.localeCompare(other.custom_id));
    expect(results.map(({ result }) => result.type)).toEqual(['errored', 'succeeded']);
    expect(JSON.stringify(results[0].result)).toContain('temperature: ');
    expect(upstream.requests.map(({ headers }) => headers.get('anthropic-version'))).toEqual([NEW]);
  });
});

test('the upstream gets the date that the client named, and the first version for anything else', async () => {
  for (const [version, sent] of [
    [undefined, '2023-06-01'],
    ['2023-06-01', '2023-06-01'],
    ['2026-10-21', '2026-10-21'],
    ['2027-05-05', '2027-05-05'],
    ['latest', '2023-06-01'],
    ['2026-13-01', '2023-06-01'],
  ]) {
    upstream.forget();
    await ask('/v1/messages', bodyOf(), version);
    expect({ version, anthropicVersion: upstream.requests[0]!.headers.get('anthropic-version') }).toEqual({
      version,
      anthropicVersion: sent!,
    });
  }
  upstream.forget();
  const chat = { model: 'on-anthropic-messages', messages: [user] };
  await server.call('/v1/chat/completions', {
    headers: { ...bearer(key), 'anthropic-version': NEW },
    body: { ...chat, temperature: 0.2 },
  });
  expect(upstream.requests[0]!.headers.get('anthropic-version')).toBe('2023-06-01');
});

describe('a document of an assistant turn', () => {
  const turns = [user, { role: 'assistant', content: [{ type: 'text', text: 'Here.' }, document] }, user];

  test("stays in place on the vendor's own wire", async () => {
    await ask('/v1/messages', bodyOf({ messages: turns }));
    expect(upstream.requests[0]!.body.messages).toEqual(turns);
  });

  test.each(
    chatWires.slice(0, 2).concat(chatWires.slice(3)),
  )('is moved to the user turn before on %s', async (wire) => {
    await ask('/v1/messages', bodyOf({ messages: turns }, wire));
    const { body } = upstream.requests[0]!;
    const list: Json[] = body.messages ?? body.input ?? body.contents;
    const roles = list.map(({ role }) => role);
    expect(roles).toHaveLength(3);
    const text = /The harbour is closed\.|VGhlIGhhcmJvdXIgaXMgY2xvc2VkLg==/;
    expect(JSON.stringify(list[0])).toMatch(text);
    expect(JSON.stringify(list.slice(1))).not.toMatch(text);
  });
});
