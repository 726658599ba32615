import { afterAll, describe, expect, test } from 'bun:test';
import { serveSimulator } from '../../src/simulator/serving/serve-simulator.ts';
import { type Answer, bearer, type Json } from '../support/call.ts';
import { expectOk } from '../support/expect-ok.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { fullTest } from '../support/full-test.ts';
import { isFull } from '../support/is-full.ts';
import { isLong } from '../support/is-long.ts';
import { startServer } from '../support/start-server.ts';
import { type AttackResult, underAttack } from '../support/under-attack.ts';
import { ableModel, wirePrefix } from '../support/wire-models.ts';

const upstream = serveSimulator({});
const server = await startServer({
  config: {
    providers: [{ id: 'hidden', wire: 'openai-chat', base_url: upstream.url + wirePrefix['openai-chat'] }],
    catalog: {
      default: false,
      models: [ableModel('capable', [{ provider: 'hidden', model: 'hidden' }])],
    },
    plans: { free: { tokens_per_min: 1_000_000_000 }, starter: { requests_per_min: 1_000_000 } },
  },
});
afterAll(async () => {
  await server.stop();
  await upstream.stop();
});

const MEGABYTE = 1024 * 1024;
const FREE_READS = 300;
/** A conversation of 9 MB counts as 36 reads of 256 KB. Its last turn has loaded it once. */
const READS_OF_CONVERSATION = Math.floor(FREE_READS / 36);
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
  const body = { model: 'capable', max_output_tokens: 20, ...fields };
  return expectOk(await server.call('/v1/responses', { headers: bearer(key), body })).body;
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
const chat = () => server.chat(bystander.key, 'capable');

/** The requests of one key over forty connections, until one is refused. */
const attack = (ms: number, send: (number: number) => Promise<Answer>) =>
  underAttack({ pid: server.pid, connections: 40, ms, status: 429, bystander: chat, attack: send });

/** Expects that at most `most` requests got this status, and that all others were refused. */
function expectBounded({ attacker, peakMb }: AttackResult, status: number, most: number): void {
  expect(Object.keys(attacker)).toEqual(expect.arrayContaining([String(status), '429']));
  expect(Object.keys(attacker)).toHaveLength(2);
  expect(attacker[status]).toBeWithin(1, most + 1);
  expect(peakMb).toBeLessThan(MAX_MB);
}

describe('one Free key over forty connections', () => {
  test('a page of a long conversation is loaded alone and counts as one read [LIM-44]', async () => {
    const { key } = await server.createKey('free');
    const id = await longConversation(key);
    const page = () => server.call(`/v1/responses/${id}/input_items?limit=1`, { headers: bearer(key) });
    const result = await attack(ATTACK_MS, page);
    expectBounded(result, 200, FREE_READS);
    expect(result.answered).toBeGreaterThan(0);
  });

  test('a quote of a long conversation counts by the bytes that it loads [LIM-44]', async () => {
    const { key } = await server.createKey('free');
    const id = await longConversation(key);
    const body = { model: 'capable', input: 'hi', previous_response_id: id };
    const result = await attack(BYTES_ATTACK_MS, () =>
      server.call('/v1/quote', { headers: bearer(key), body }),
    );
    expectBounded(result, 200, READS_OF_CONVERSATION);
    expect(result.answered).toBeGreaterThan(0);
  });

  fullTest('a request for an unknown item counts by the bytes that it searches [LIM-44]', async () => {
    const { key } = await server.createKey('free');
    const id = await longConversation(key);
    const result = await attack(BYTES_ATTACK_MS, (number) =>
      server.call(`/v1/responses/${id}/input_items?after=msg_${number}`, { headers: bearer(key) }),
    );
    expectBounded(result, 400, READS_OF_CONVERSATION);
  });
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
      body: { model: 'capable', input: ids.slice(0, count).map((id) => ({ type: 'item_reference', id })) },
    });
  expect((await refer(1)).status).toBe(200);
  expectRefusal(await refer(4), 400, 'context_length_exceeded', 'input');
});
