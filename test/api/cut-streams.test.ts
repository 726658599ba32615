import { afterAll, expect, setDefaultTimeout, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serveSimulator } from '../../src/simulator/serving/serve-simulator.ts';
import { type Answer, chatBody, type Json } from '../support/call.ts';
import { isLong } from '../support/is-long.ts';
import { startServer } from '../support/start-server.ts';
import { wideLimits } from '../support/wide-limits.ts';
import { ableModel } from '../support/wire-models.ts';

const STREAMS = isLong ? 1_000 : 40;
const AT_A_TIME = 20;
/** The longest stream has about this many bytes. */
const MAX_BYTES = 9_000;
/** Some streams are cut before their first frame, and some run on while they are resumed. */
const DRIP_MS = 2;

setDefaultTimeout(isLong ? 600_000 : 60_000);

const upstream = serveSimulator();
const dataDirectory = mkdtempSync(join(tmpdir(), 'tollgate-test-'));
const start = () =>
  startServer({
    dataDirectory,
    config: {
      providers: [{ id: 'one', wire: 'openai-chat', base_url: `${upstream.url}/v1` }],
      catalog: {
        default: false,
        models: [ableModel('slow', [{ provider: 'one', model: `slow!drip-ms=${DRIP_MS}` }])],
      },
      plans: wideLimits,
    },
  });
let server = await start();
afterAll(async () => {
  await server.stop();
  await upstream.stop();
  rmSync(dataDirectory, { recursive: true, force: true });
});
const { key, account } = await server.createKey('enterprise');

const text = `say: ${Array.from({ length: 30 }, (_, index) => `word${index}`).join(' ')}`;
const messages = [{ role: 'user', content: text }];
const GOOGLE = '/v1beta/models/slow:streamGenerateContent?alt=sse';
/** The request that each endpoint takes, and the end of its streams. */
const doors: [path: string, body: Json, end: RegExp][] = [
  ['/v1/chat/completions', { ...chatBody('slow'), messages, stream: true }, /data: \[DONE\]\n\n$/],
  ['/v1/messages', { model: 'slow', messages, max_tokens: 500, stream: true }, /"message_stop"\}\n\n$/],
  ['/v1/responses', { model: 'slow', input: text, stream: true }, /event: response\.completed\n[^\n]*\n\n$/],
  ['/v1/completions', { model: 'slow', prompt: text, max_tokens: 500, stream: true }, /data: \[DONE\]\n\n$/],
  [GOOGLE, { contents: [{ role: 'user', parts: [{ text }] }] }, /"finishReason":"STOP"[^\n]*\n\n$/],
];
const keyOf = (path: string): Record<string, string> =>
  path === GOOGLE ? { 'x-goog-api-key': key } : { authorization: `Bearer ${key}` };

/** Reads a stream until some bytes have come, and leaves. */
async function readSome(path: string, body: Json, bytes: number): Promise<{ id: string; had: string }> {
  const leaving = new AbortController();
  const response = await fetch(server.url + path, {
    method: 'POST',
    headers: { ...keyOf(path), 'x-svc-resumable': 'true', 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: leaving.signal,
  });
  let had = '';
  const decoder = new TextDecoder();
  if (bytes > 0)
    for await (const piece of response.body!) {
      had += decoder.decode(piece, { stream: true });
      if (had.length >= bytes) break;
    }
  leaving.abort();
  return { id: response.headers.get('x-svc-request-id')!, had: had.slice(0, bytes) };
}

const read = (id: string, after?: string): Promise<Answer> =>
  server.call(`/v1/streams/${id}`, {
    headers: { authorization: `Bearer ${key}`, ...(after !== undefined && { 'last-event-id': after }) },
  });

/** Returns the whole frames that a client has, without comments. */
const framesOf = (sse: string): string[] =>
  sse
    .slice(0, sse.includes('\n\n') ? sse.lastIndexOf('\n\n') + 2 : 0)
    .replaceAll(/^: .*\n\n/gm, '')
    .split(/(?<=\n\n)/)
    .filter((frame) => frame !== '');

/** Frames of Google's dialect have no ids, so they are counted. */
function placeOf(path: string, frames: readonly string[]): string | undefined {
  if (frames.length === 0) return undefined;
  return path === GOOGLE ? String(frames.length) : /^id: (.*)\n/.exec(frames.at(-1)!)![1];
}

async function billed(): Promise<Map<string, number>> {
  const times = new Map<string, number>();
  for (let after = ''; ; ) {
    const { body } = await server.admin('GET', `/accounts/${account}/ledger?limit=1000${after}`);
    for (const { kind, request_id: id } of body.data)
      if (kind === 'usage') times.set(id, (times.get(id) ?? 0) + 1);
    if (!body.has_more) return times;
    after = `&after=${body.last_id}`;
  }
}

test('streams that are cut at random moments and resumed are whole, billed once, and outlive a kill [RSM-07] [RSM-11]', async () => {
  const wholes = new Map<string, string>();
  const cuts = { before: 0, within: 0, after: 0 };
  let next = 0;
  const work = async () => {
    while (next < STREAMS) {
      const [path, body, end] = doors[next++ % doors.length]!;
      const { id, had } = await readSome(path, body, Math.floor(Math.random() * MAX_BYTES));
      const frames = framesOf(had);
      const rest = await read(id, placeOf(path, frames));
      expect([200, 204]).toContain(rest.status);
      const whole = await read(id);
      expect(frames.join('') + rest.text).toBe(whole.text);
      expect(whole.text).toMatch(end);
      wholes.set(id, whole.text);
      const later = rest.status === 204 ? 'after' : 'within';
      cuts[frames.length === 0 ? 'before' : later]++;
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, work));
  expect(wholes.size).toEqual(STREAMS);
  expect(cuts.within).toBeGreaterThan(STREAMS / 4);
  process.kill(server.pid, 'SIGKILL');
  server = await start();
  for (const [id, whole] of wholes) expect((await read(id)).text).toBe(whole);
  const times = await billed();
  expect([...wholes.keys()].filter((id) => times.get(id) !== 1)).toEqual([]);
  expect(times.size).toBe(STREAMS);
});
