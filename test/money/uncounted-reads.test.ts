import { afterAll, describe, expect, test } from 'bun:test';
import { serveSimulator } from '../../src/simulator/serving/serve-simulator.ts';
import { bearer, type Json } from '../support/call.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { fullTest } from '../support/full-test.ts';
import { isFull } from '../support/is-full.ts';
import { isLong } from '../support/is-long.ts';
import { startServer } from '../support/start-server.ts';
import { underAttack } from '../support/under-attack.ts';
import { ableModel, wirePrefix } from '../support/wire-models.ts';

const upstream = serveSimulator({});
const server = await startServer({
  config: {
    providers: [{ id: 'hidden', wire: 'openai-chat', base_url: upstream.url + wirePrefix['openai-chat'] }],
    catalog: {
      default: false,
      models: [ableModel('able', [{ provider: 'hidden', model: 'hidden' }])],
    },
    plans: { free: { tokens_per_min: 1000000000 }, starter: { requests_per_min: 1_000_000 } },
  },
});
afterAll(async () => {
  await server.stop();
  await upstream.stop();
});

const MEGABYTE = 1024 * 1024;
const FREE_READS = 300;
/** Long enough to pass the limit of reads. */
const ATTACK_MS = isLong ? 2_000 : 1_000;
/** A few requests exceed the limit if each counts by many bytes. */
const BYTES_ATTACK_MS = isFull ? 1_000 : 400;
/** Far above the measured size, and far below the size without a limit. */
const MAX_MB = 1_200;

const image = (megabytes: number) => ({
  type: 'input_image',
  image_url: `data:image/png;base64,${'A'.repeat(megabytes * MEGABYTE)}`,
});
const turn = (megabytes: number) => ({
  role: 'user',
  content: [image(megabytes), { type: 'input_text', text: 'hi' }],
});

async function respond(key: string, fields: Json): Promise<Json> {
  const body = { model: 'able', max_output_tokens: 20, ...fields };
  const { status, body: response, text } = await server.call('/v1/responses', { headers: bearer(key), body });
  expect([status, status === 200 ? '' : text]).toEqual([200, '']);
  return response;
}

/** Stores a conversation of 9 MB whose last turn is a few words. */
async function longConversation(key: string): Promise<string> {
  let id: string | null = null;
  for (const megabytes of [3, 3, 3]) {
    const response: Json = await respond(key, { input: [turn(megabytes)], previous_response_id: id });
    id = response.id;
  }
  return (await respond(key, { input: 'hi', previous_response_id: id })).id;
}

const bystander = await server.createKey('starter');
const chat = () => server.chat(bystander.key, 'able');
const sum = (counts: Record<number, number>) => Object.values(counts).reduce((all, count) => all + count, 0);

describe('one Free key over forty connections', async () => {
  test('read pages of a long conversation, and the gateway loads only those pages [LIM-44]', async () => {
    const { key } = await server.createKey('free');
    const id = await longConversation(key);
    const page = () => server.call(`/v1/responses/${id}/input_items?limit=1`, { headers: bearer(key) });
    const reported = await underAttack({
      pid: server.pid,
      connections: 40,
      ms: ATTACK_MS,
      status: 429,
      bystander: chat,
      attack: page,
    });
    expect(Object.keys(reported.attacker)).toEqual(expect.arrayContaining(['200', '429']));
    expect(reported.attacker[200]!).toBeLessThanOrEqual(FREE_READS);
    expect(reported.attacker[200]! + reported.attacker[429]!).toBe(sum(reported.attacker));
    expect(reported.answered).toBeGreaterThan(0);
    expect(reported.peakMb).toBeLessThan(MAX_MB);
  });

  test('quote a long conversation, and each quote counts by the bytes that it loads [LIM-44]', async () => {
    const { key } = await server.createKey('free');
    const id = await longConversation(key);
    const quote = () =>
      server.call('/v1/quote', {
        headers: bearer(key),
        body: { model: 'able', input: 'hi', previous_response_id: id },
      });
    const reported = await underAttack({
      pid: server.pid,
      connections: 40,
      ms: BYTES_ATTACK_MS,
      status: 429,
      bystander: chat,
      attack: quote,
    });
    // The conversation of 9 MB has been loaded for its last turn already;
    // a quote is itself and 36 times 256 KB.
    expect(reported.attacker[200]!).toBeWithin(1, FREE_READS / 36);
    expect(reported.attacker[200]! + reported.attacker[429]!).toBe(sum(reported.attacker));
    expect(reported.answered).toBeGreaterThan(0);
    expect(reported.peakMb).toBeLessThan(MAX_MB);
  });

  fullTest(
    'request an unknown item, and each request counts by the bytes that it searches [LIM-44]',
    async () => {
      const { key } = await server.createKey('free');
      const id = await longConversation(key);
      const reported = await underAttack({
        pid: server.pid,
        connections: 40,
        ms: BYTES_ATTACK_MS,
        status: 429,
        bystander: chat,
        attack: (number) =>
          server.call(`/v1/responses/${id}/input_items?after=msg_${number}`, { headers: bearer(key) }),
      });
      expect(reported.attacker[400]!).toBeWithin(1, FREE_READS / 36);
      expect(reported.attacker[400]! + reported.attacker[429]!).toBe(sum(reported.attacker));
      expect(reported.peakMb).toBeLessThan(MAX_MB);
    },
  );
});

test('refuses references to items that exceed the size limit of a body', async () => {
  const { key } = await server.createKey('enterprise');
  const ids: string[] = [];
  for (let made = 0; made < 4; made++) {
    const { id } = await respond(key, { input: [turn(6)] });
    ids.push(`msg_${id.slice('resp_'.length)}_in0`);
  }
  const refer = (count: number) =>
    server.call('/v1/responses', {
      headers: bearer(key),
      body: { model: 'able', input: ids.slice(0, count).map((id) => ({ type: 'item_reference', id })) },
    });
  expect((await refer(1)).status).toBe(200);
  expectRefusal(await refer(4), 400, 'context_length_exceeded', 'input');
});
