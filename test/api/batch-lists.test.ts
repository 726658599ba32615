import { afterAll, expect, test } from 'bun:test';
import Anthropic from '@anthropic-ai/sdk';
import { batchClient, chatFlavor, flavors, messagesFlavor } from '../support/batch-client.ts';
import type { Json } from '../support/call.ts';
import { startRecordingUpstream } from '../support/recording-upstream.ts';
import { sampleConfig } from '../support/sample-config.ts';
import { startServer } from '../support/start-server.ts';

const upstream = startRecordingUpstream();
const server = await startServer({ config: sampleConfig(upstream.url) });
afterAll(async () => {
  await server.stop();
  await upstream.stop();
});
const SMALL = 'test-small';

async function withBatches(flavor: typeof messagesFlavor, count: number) {
  const { key } = await server.createKey('enterprise');
  const client = batchClient(server, { flavor, key });
  const ids: string[] = [];
  for (let made = 0; made < count; made++) ids.unshift((await client.create([SMALL])).id);
  return { client, ids, key };
}
const idsOf = (data: Json[]): string[] => data.map(({ id }) => id);

test.each(
  flavors,
)("lists a key's batches in $name, newest first, 20 on a page and at most 100 [BAT-08] [BAT-55] [BAT-70]", async (flavor) => {
  const { client, ids } = await withBatches(flavor, 25);
  await client.ended(ids[0]!);
  const { body } = await client.list();
  expect({ ids: idsOf(body.data), has_more: body.has_more }).toEqual({
    ids: ids.slice(0, 20),
    has_more: true,
  });
  expect(body.data[0]).toEqual(await client.view(ids[0]!));
  const whole = await client.list('?limit=100');
  expect({ ids: idsOf(whole.body.data), has_more: whole.body.has_more }).toEqual({ ids, has_more: false });
  const refusal = { code: 'invalid_request', message: expect.stringMatching(/^limit /) };
  for (const limit of ['0', '101', '-1', 'x', '1.5', '']) {
    const { status, body: refused } = await client.list(`?limit=${limit}`);
    expect({ status, error: refused.error }).toEqual({
      status: 400,
      error: expect.objectContaining(refusal),
    });
    if (flavor === chatFlavor) expect(refused.error.param).toBe('limit');
  }
});

test('pages the messages collection in both directions [BAT-56]', async () => {
  const { client, ids } = await withBatches(messagesFlavor, 7);
  const page = async (query: string) => {
    const { body } = await client.list(query);
    expect({ first_id: body.first_id, last_id: body.last_id }).toEqual({
      first_id: body.data[0]?.id ?? null,
      last_id: body.data.at(-1)?.id ?? null,
    });
    return [idsOf(body.data), body.has_more];
  };
  expect(await page('?limit=3')).toEqual([ids.slice(0, 3), true]);
  expect(await page(`?limit=3&after_id=${ids[2]}`)).toEqual([ids.slice(3, 6), true]);
  expect(await page(`?limit=3&after_id=${ids[5]}`)).toEqual([ids.slice(6), false]);
  expect(await page(`?limit=3&before_id=${ids[6]}`)).toEqual([ids.slice(3, 6), true]);
  expect(await page(`?limit=3&before_id=${ids[3]}`)).toEqual([ids.slice(0, 3), false]);
  expect(await page(`?limit=3&before_id=${ids[0]}`)).toEqual([[], false]);
  for (const name of ['after_id', 'before_id']) {
    const { status, body } = await client.list(`?${name}=msgbatch_no`);
    expect(status).toBe(400);
    expect(body.error.message).toStartWith(name);
  }
});

test('pages the chat collection as its official client does [BAT-57]', async () => {
  const { client, ids } = await withBatches(chatFlavor, 5);
  const { body } = await client.list('?limit=2');
  expect(body).toMatchObject({ object: 'list', has_more: true, first_id: ids[0], last_id: ids[1] });
  const rest = await client.list(`?limit=3&after=${ids[1]}`);
  expect({ ids: idsOf(rest.body.data), has_more: rest.body.has_more }).toEqual({
    ids: ids.slice(2),
    has_more: false,
  });
  expect((await client.list('?after=batch_no')).body.error.param).toBe('after');
});

test("serves Anthropic's client: create, read, page, cancel, delete, and iterate over results", async () => {
  const { key, ids } = await withBatches(messagesFlavor, 3);
  const client = new Anthropic({
    apiKey: null,
    baseURL: server.url,
    defaultHeaders: { 'x-api-key': key, authorization: null },
    maxRetries: 0,
  });
  const { batches } = client.messages;
  const params = messagesFlavor.params(SMALL);
  const made = await batches.create({
    requests: [
      { custom_id: 'a', params },
      { custom_id: 'b', params: { ...params, model: 'no' } },
    ],
  });
  let view = await batches.retrieve(made.id);
  while (view.processing_status !== 'ended') view = await batches.retrieve(made.id);
  expect(view.request_counts).toMatchObject({ succeeded: 1, errored: 1 });
  const results: Record<string, Anthropic.Messages.MessageBatchResult> = {};
  for await (const { custom_id, result } of await batches.results(made.id)) results[custom_id] = result;
  const { a, b } = results as Json;
  expect(a.type).toBe('succeeded');
  expect(a.message.content[0].text).toBe('one two');
  expect(b.type).toBe('errored');
  expect(b.error.type).toBe('error');
  expect(b.error.error.code).toBe('unknown_model');
  const listed: string[] = [];
  for await (const { id } of batches.list({ limit: 2 })) listed.push(id);
  expect(listed).toEqual([made.id, ...ids]);
  expect((await batches.cancel(made.id)).processing_status).toBe('ended');
  expect(await batches.delete(made.id)).toMatchObject({ id: made.id, type: 'message_batch_deleted' });
  expect(await batches.retrieve(made.id).catch(({ status }) => status)).toBe(404);
});
