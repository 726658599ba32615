import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serveSimulator } from '../../src/simulator/serving/serve-simulator.ts';
import { type Answer, bearer, chatBody, type Json } from '../support/call.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { answerSlowly, startRecordingUpstream } from '../support/recording-upstream.ts';
import { startServer } from '../support/start-server.ts';
import { waitFor } from '../support/wait-for.ts';
import { wideLimits } from '../support/wide-limits.ts';
import { ableModel } from '../support/wire-models.ts';

let released = Promise.withResolvers<void>();
const upstream = serveSimulator({ beforeFault: () => released.promise });
const pausing = startRecordingUpstream();
const on = (model: string) => [{ provider: 'one', model }];
const config = {
  providers: [
    { id: 'one', wire: 'openai-chat', base_url: `${upstream.url}/v1` },
    { id: 'split', wire: 'anthropic-messages', base_url: `${upstream.url}/v1` },
    { id: 'two', wire: 'openai-chat', base_url: pausing.url },
  ],
  catalog: {
    default: false,
    models: [
      ableModel('quick', on('quick')),
      ableModel('slow', on('slow!stall-after=3')),
      ableModel('split', [{ provider: 'split', model: 'split' }]),
      ableModel('cut', on('cut!cut-after=3')),
      ableModel('pausing', [{ provider: 'two', model: 'pausing' }]),
    ],
  },
  plans: wideLimits,
  limits: { resume_grace_s: 2, stream_log_mb: 1 },
};
const dataDirectory = mkdtempSync(join(tmpdir(), 'tollgate-test-'));
const start = () => startServer({ config, dataDirectory, environment: { TOLLGATE_TEST_CLOCK: '1' } });
let server = await start();
afterAll(async () => {
  released.resolve();
  await server.stop();
  await upstream.stop();
  await pausing.stop();
  rmSync(dataDirectory, { recursive: true, force: true });
});
const { key, account } = await server.createKey('pro');
const resuming = await server.createKey('pro', { account, resumable: true });
const RESUMABLE = { 'x-svc-resumable': 'true' };
const doors = ['/v1/chat/completions', '/v1/messages', '/v1/responses', '/v1/completions'] as const;
const prompt = (length: number) => `say: ${Array.from({ length }, (_, index) => `word${index}`).join(' ')}`;
function bodyOf(door: string, model: string, text: string): Json {
  if (door === '/v1/responses') return { model, input: text, stream: true };
  if (door === '/v1/completions') return { model, prompt: text, stream: true };
  return { ...chatBody(model), messages: [{ role: 'user', content: text }], max_tokens: 500, stream: true };
}
const billed = async (): Promise<number> =>
  (await server.admin('GET', `/accounts/${account}/ledger?limit=1000`)).body.data.filter(
    ({ kind }: Json) => kind === 'usage',
  ).length;
const uncommented = (text: string) => text.replaceAll(/^: .*\n\n/gm, '');
const framesOf = (text: string) =>
  uncommented(text)
    .split(/(?<=\n\n)/)
    .filter((frame) => frame !== '');
const idOf = (frame: string) => /^id: (.*)\n/.exec(frame)![1]!;
const read = (
  id: string | null,
  { after, secret = key }: { after?: string | undefined; secret?: string } = {},
): Promise<Answer> =>
  server.call(`/v1/streams/${id}`, {
    headers: { ...bearer(secret), ...(after !== undefined && { 'last-event-id': after }) },
  });
const stream = (door: string, body: Json, headers: Record<string, string> = RESUMABLE): Promise<Answer> =>
  server.call(door, { headers: { ...bearer(key), ...headers }, body });
const requestIdOf = ({ headers }: Pick<Answer, 'headers'>) => headers.get('x-svc-request-id');

/** Reads a stream until some bytes have come, and leaves. */
async function readSome(door: string, body: Json, bytes: number): Promise<{ id: string; text: string }> {
  const leaving = new AbortController();
  const response = await fetch(server.url + door, {
    method: 'POST',
    headers: { ...bearer(key), ...RESUMABLE, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: leaving.signal,
  });
  let text = '';
  const decoder = new TextDecoder();
  for await (const piece of response.body!) {
    text += decoder.decode(piece, { stream: true });
    if (text.length >= bytes) break;
  }
  leaving.abort();
  return { id: requestIdOf(response)!, text };
}

test.each(
  doors,
)('each frame of %s has an id, and is otherwise that of an ordinary stream [RSM-01] [RSM-02] [RSM-03]', async (door) => {
  const body = bodyOf(door, 'quick', prompt(5));
  const ordinary = await stream(door, body, {});
  const resumable = await stream(door, body);
  const frames = framesOf(resumable.text);
  expect(frames.every((frame) => frame.startsWith('id: '))).toBe(true);
  expect(new Set(frames.map(idOf)).size).toBe(frames.length);
  expect(frames).toHaveLength(framesOf(ordinary.text).length);
  expect(ordinary.text).not.toMatch(/^id:/m);
  const id = requestIdOf(resumable);
  const before = await billed();
  const again = await read(id);
  expect({ status: again.status, contentType: again.headers.get('content-type') }).toEqual({
    status: 200,
    contentType: 'text/event-stream; charset=utf-8',
  });
  expect(again.text).toBe(frames.join(''));
  for (const at of [0, 2, frames.length - 2])
    expect((await read(id, { after: idOf(frames[at]!) })).text).toBe(frames.slice(at + 1).join(''));
  const last = await read(id, { after: idOf(frames.at(-1)!) });
  expect(last.status).toBe(204);
  expect(last.text).toBe('');
  expect(await billed()).toBe(before);
  expect(requestIdOf(again)).not.toBe(id);
});

test('several answers of a request that was split are one stream [RSM-01]', async () => {
  const body = { ...bodyOf('/v1/chat/completions', 'split', prompt(5)), n: 2 };
  const resumable = await stream('/v1/chat/completions', body);
  const frames = framesOf(resumable.text);
  expect(frames.every((frame) => frame.startsWith('id: '))).toBe(true);
  expect(frames.at(-1)).toEndWith('data: [DONE]\n\n');
  expect((await read(requestIdOf(resumable))).text).toBe(frames.join(''));
});

test('a stream is followed while it runs, by several readers at once [RSM-02]', async () => {
  const { answer, release } = answerSlowly();
  pausing.answer('pausing', answer);
  const before = await billed();
  const body = bodyOf('/v1/chat/completions', 'pausing', prompt(12));
  const { id, text } = await readSome('/v1/chat/completions', body, 200);
  const had = framesOf(text.slice(0, text.lastIndexOf('\n\n') + 2));
  const reading = [read(id), read(id, { after: idOf(had[0]!) })];
  // The pause is longer than the grace: while somebody reads, the request goes on.
  await Bun.sleep(2_600);
  release();
  const [all, rest] = await Promise.all(reading);
  expect(all!.text).toEndWith('data: [DONE]\n\n');
  expect(had[0]! + rest!.text).toBe(all!.text);
  expect((await billed()) - before).toBe(1);
});

test('a stream that nobody reads ends after the grace [RSM-07]', async () => {
  released = Promise.withResolvers();
  const { id } = await readSome(
    '/v1/chat/completions',
    bodyOf('/v1/chat/completions', 'slow', 'say: one two three four five'),
    300,
  );
  const receipt = () => server.call(`/v1/usage/${id}`, { headers: bearer(key) });
  await Bun.sleep(1_000);
  expect((await receipt()).status).toBe(404);
  await waitFor(async () => (await receipt()).status === 200);
  expect((await receipt()).body.outcome).toBe('left');
  released.resolve();
});

test('a stream is read again with the error that ended it', async () => {
  released.resolve();
  const broken = await stream('/v1/chat/completions', bodyOf('/v1/chat/completions', 'cut', prompt(20)));
  const frames = framesOf(broken.text);
  expect(frames.at(-1)).toContain('"error"');
  expect(frames.at(-1)).toStartWith('id: ');
  expect((await read(requestIdOf(broken))).text).toBe(frames.join(''));
});

test("the header decides before the key's setting, and other values are refused [RSM-05] [RSM-06]", async () => {
  const body = bodyOf('/v1/chat/completions', 'quick', 'say: hi');
  const by = (headers: Record<string, string>) =>
    server.call('/v1/chat/completions', { headers: { ...bearer(resuming.key), ...headers }, body });
  expect((await by({})).text).toStartWith('id: ');
  const off = await by({ 'x-svc-resumable': 'false' });
  expect(off.text).not.toMatch(/^id:/m);
  expectRefusal(await by({ 'x-svc-resumable': 'yes' }), 400, 'invalid_request', 'x-svc-resumable');
  const whole = await server.call('/v1/chat/completions', {
    headers: { ...bearer(key), ...RESUMABLE },
    body: chatBody('quick'),
  });
  expect(whole.status).toBe(200);
  const missing = await Promise.all([
    read(requestIdOf(off), { secret: resuming.key }),
    read(requestIdOf(whole)),
    read(requestIdOf(await by({}))),
    read('req_unknown'),
  ]);
  for (const answer of missing) expectRefusal(answer, 404, 'not_found');
  expect(new Set(missing.map(({ body: { error } }) => error.message)).size).toBe(1);
});

test('a Last-Event-ID of another stream or of none is refused [RSM-04]', async () => {
  const body = bodyOf('/v1/chat/completions', 'quick', 'say: hi');
  const one = await stream('/v1/chat/completions', body);
  const two = await stream('/v1/chat/completions', body);
  const own = idOf(framesOf(one.text)[0]!);
  for (const after of [
    idOf(framesOf(two.text)[0]!),
    'nothing',
    own.replace(/\d+$/, '999'),
    own.replace(/\d+$/, '0'),
    '',
  ])
    expectRefusal(await read(requestIdOf(one), { after }), 400, 'invalid_request', 'Last-Event-ID');
});

test('a stream beyond the memory for logs is sent but cannot be read again [RSM-09]', async () => {
  const body = { ...bodyOf('/v1/chat/completions', 'quick', prompt(6_000)), max_tokens: 30_000 };
  const large = await stream('/v1/chat/completions', body);
  expect(large.text.length).toBeGreaterThan(1024 * 1024);
  expect(framesOf(large.text).at(-1)).toEndWith('data: [DONE]\n\n');
  expect((await read(requestIdOf(large))).status).toBe(404);
});

test('a stream that had ended outlives a crash, and of another one the beginning is read, then an error [RSM-11]', async () => {
  released = Promise.withResolvers();
  const whole = await stream('/v1/messages', bodyOf('/v1/messages', 'quick', 'say: one two'));
  const { id, text } = await readSome(
    '/v1/messages',
    bodyOf('/v1/messages', 'slow', 'say: one two three four five'),
    500,
  );
  await Bun.sleep(1_500);
  process.kill(server.pid, 'SIGKILL');
  server = await start();
  expect((await read(requestIdOf(whole))).text).toBe(uncommented(whole.text));
  const rest = await read(id);
  expect(rest.text).toStartWith(text.slice(0, text.lastIndexOf('\n\n') + 2));
  expect(rest.text).toMatch(/id: \S+\nevent: error\ndata: .*\n\n$/);
  expect((await read(id, { after: idOf(framesOf(rest.text).at(-1)!) })).status).toBe(204);
  // No retry can join it, so it is billed like any other that a crash ends.
  const receipt = () => server.call(`/v1/usage/${id}`, { headers: bearer(key) });
  await waitFor(async () => (await receipt()).status === 200, 40_000);
  expect((await receipt()).body.outcome).toBe('recovered');
  released.resolve();
});

test('a stream is not read again after its time [RSM-08]', async () => {
  const one = await stream('/v1/chat/completions', bodyOf('/v1/chat/completions', 'quick', 'say: hi'));
  await server.admin('POST', '/test/clock', { advance_s: 301 });
  expect((await read(requestIdOf(one))).status).toBe(404);
});
