import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serveSimulator } from '../../src/simulator/serving/serve-simulator.ts';
import type { Answer, Json } from '../support/call.ts';
import { eventsOf, framesOf } from '../support/interaction-events.ts';
import { startServer } from '../support/start-server.ts';
import { waitFor } from '../support/wait-for.ts';
import { ableModel } from '../support/wire-models.ts';

const upstream = serveSimulator();
const on = (model: string) => [{ provider: 'one', model }];
const config = {
  providers: [{ id: 'one', wire: 'google-interactions', base_url: `${upstream.url}/v1beta` }],
  catalog: {
    default: false,
    models: [
      ableModel('quick', on('quick')),
      ableModel('twice-slow', on('twice-slow!stall-after=5,fail-times=2')),
    ],
  },
};
const dataDirectory = mkdtempSync(join(tmpdir(), 'tollgate-test-'));
const start = () => startServer({ config, dataDirectory, environment: { TOLLGATE_TEST_CLOCK: '1' } });
let server = await start();
afterAll(async () => {
  await server.stop();
  await upstream.stop();
  rmSync(dataDirectory, { recursive: true, force: true });
});

const model = 'quick';
const { key, account } = await server.createKey('enterprise', { retries: 'keyed' });
const google = (secret: string) => ({ 'x-goog-api-key': secret });
const post = (body: Json, headers: Record<string, string> = google(key)) =>
  server.call('/v1beta/interactions', { headers, body });
const at = (path: string) => server.call(`/v1beta/interactions/${path}`, { headers: google(key) });
const charges = async (): Promise<Json[]> =>
  (await server.admin('GET', `/accounts/${account}/ledger?limit=1000`)).body.data.filter(
    ({ kind }: Json) => kind === 'usage',
  );
const idOf = (answer: Answer) => answer.headers.get('x-svc-request-id');

/** Reads a stream until the server dies. */
async function readUntilDeath(input: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${server.url}/v1beta/interactions`, {
    method: 'POST',
    headers: { ...google(key), ...headers, 'x-svc-resumable': 'true', 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'twice-slow', input, stream: true }),
  });
  const got = { id: response.headers.get('x-svc-request-id')!, text: '', over: Promise.resolve() };
  const decoder = new TextDecoder();
  got.over = (async () => {
    for await (const piece of response.body!) got.text += decoder.decode(piece, { stream: true });
  })().catch(() => {});
  await waitFor(() => got.text.includes('step.delta'));
  return got;
}

test('a resumable interaction that a crash ends is read up to the cut and then its error, or whole, and is billed once [ITR-11] [RSM-11]', async () => {
  const body = { model, input: 'say: one two', stream: true };
  const whole = await post(body, { ...google(key), 'x-svc-resumable': 'true' });
  const alone = await readUntilDeath('say: one two three four five');
  const KEYED = { 'idempotency-key': 'until-the-crash' };
  const keyed = await readUntilDeath('say: six seven eight nine ten', KEYED);
  await Bun.sleep(1_500);
  const before = new Set((await charges()).map(({ request_id }) => request_id));
  server.signal('SIGKILL');
  await server.exited;
  await Promise.all([alone.over, keyed.over]);
  await server.stop();
  server = await start();
  const read = (id: string, after?: string) =>
    server.call(`/v1/streams/${id}`, {
      headers: { ...google(key), ...(after !== undefined && { 'last-event-id': after }) },
    });
  expect(framesOf((await read(idOf(whole)!)).text)).toEqual(framesOf(whole.text));
  for (const { id, text } of [alone, keyed]) {
    const had = framesOf(text.slice(0, text.lastIndexOf('\n\n') + 2));
    const frames = framesOf((await read(id)).text);
    expect(frames.slice(0, had.length)).toEqual(had);
    const last = frames.at(-1)!;
    expect({ event: last.event, id: last.id }).toEqual({ event: 'error', id: expect.any(String) });
    expect(JSON.parse(last.data)).toEqual({
      event_type: 'error',
      event_id: `event_${frames.length}`,
      error: { code: expect.any(String), message: expect.any(String) },
    });
    expect(framesOf((await read(id, had.at(-1)!.id)).text)).toEqual(frames.slice(had.length));
    expect((await read(id, last.id)).status).toBe(204);
    const interaction = eventsOf(text)[0].interaction.id;
    const followed = await at(`${interaction}?stream=true&last_event_id=event_${had.length}`);
    expect(framesOf(followed.text)).toEqual(frames.slice(had.length));
  }
  const again = await post(
    { model: 'twice-slow', input: 'say: six seven eight nine ten', stream: true },
    { ...google(key), ...KEYED },
  );
  expect(eventsOf(again.text).at(-1)).toMatchObject({ event_type: 'interaction.completed' });
  await server.admin('POST', '/test/clock', { advance_s: 31 });
  const added = async () =>
    (await charges()).map(({ request_id }) => request_id).filter((id) => !before.has(id));
  await waitFor(async () => (await added()).length >= 2, 40_000);
  expect((await added()).sort()).toEqual([alone.id, idOf(again)!].sort());
  expect((await server.admin('GET', '/ledger/verify')).body.faults).toEqual([]);
}, 90_000);
