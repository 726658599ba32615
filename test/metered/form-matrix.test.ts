import { afterAll, beforeEach, expect, test } from 'bun:test';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MICROCREDITS_PER_USD } from '../../src/money/ledger/microcredits.ts';
import { bearer, type Json } from '../support/call.ts';
import { expectNoTrace } from '../support/expect-no-trace.ts';
import { isOnPostgres } from '../support/postgres/database-of.ts';
import type { CreatedKey } from '../support/start-server.ts';
import { waitFor } from '../support/wait-for.ts';
import { fileOf, formOf, startFormGateway, wave } from './form-gateway.ts';
import { events, type FormAnswer, failing, json, plain } from './form-upstream.ts';

const directory = mkdtempSync(join(tmpdir(), 'form-matrix-'));
const dataDirectory = join(directory, 'data');
let gateway = await startFormGateway({ dataDirectory });
let { upstream } = gateway;
afterAll(async () => {
  await gateway.stop();
  rmSync(directory, { recursive: true, force: true });
});
beforeEach(() => void upstream.requests.splice(0));

const CREDIT = 10 * MICROCREDITS_PER_USD;
const MEGABYTE = 1024 * 1024;
/** Makes a file of 3 MB, which is kept on the disk. */
const speech = () => fileOf(wave((3 * MEGABYTE) / 16_000));
const picture = () => fileOf(wave(200), 'a.png', 'image/png');
const done = { type: 'transcript.text.done', text: 'one two', usage: { type: 'duration', seconds: 5 } };
const completed = { type: 'image_edit.completed', b64_json: 'aGk=' };

type Row = {
  path: string;
  /** The model with one route. With two routes, `-twice` follows. */
  model: string;
  form(): Json;
  whole: FormAnswer;
  stream?: { good: object[]; first: RegExp };
  usd: { whole: number; stream?: number; most: number };
  /** Answers that no client may get. */
  broken: FormAnswer[];
};
const transcript = { text: 'one two', usage: { type: 'duration', seconds: 5 } };
const html = plain('<html>hidden</html>', 'text/html');
const invalidAnswers = [
  html,
  json({ error: { message: 'hidden' } }),
  plain('{"text": "cut off', 'application/json'),
];

const rows: Row[] = [
  {
    path: '/v1/audio/transcriptions',
    model: 'transcription',
    whole: json(transcript),
    form: () => ({ file: speech(), prompt: 'names' }),
    stream: {
      good: [{ type: 'transcript.text.delta', delta: 'one' }, done],
      first: /transcript\.text\.delta/,
    },
    usd: { whole: 0.0005, stream: 0.0005, most: 0.0197 },
    broken: [...invalidAnswers, json({ segments: [] })],
  },
  {
    path: '/v1/audio/translations',
    model: 'transcription',
    whole: plain('WEBVTT\n\n00:00.000 --> 00:01.000\none'),
    form: () => ({ file: speech(), response_format: 'vtt' }),
    usd: { whole: 0.0197, most: 0.0197 },
    broken: [...invalidAnswers, plain('no such format'), json({ text: 'one' })],
  },
  {
    path: '/v1/images/edits',
    model: 'edit',
    whole: json({ created: 1, data: [{ b64_json: 'aGk=' }] }),
    form: () => ({ image: picture(), prompt: 'a hat', size: '1024x1024', quality: 'high' }),
    stream: {
      good: [{ type: 'image_edit.partial_image', b64_json: 'aGk=', partial_image_index: 0 }, completed],
      first: /partial_image/,
    },
    usd: { whole: 0.167, stream: 0.167, most: 0.167 },
    broken: [...invalidAnswers, json({ data: [] })],
  },
];

const formTo = (row: Row, model: string, more: Json = {}) => formOf({ ...row.form(), ...more, model });
const paidBy = async (key: CreatedKey) => Math.round(CREDIT - (await gateway.purchasedLeft(key)));
const costOf = (usd: number) => Math.round(usd * MICROCREDITS_PER_USD);
const entries = async ({ account }: CreatedKey): Promise<Json[]> =>
  (await gateway.server.admin('GET', `/accounts/${account}/ledger`)).body.data.filter(
    ({ kind, request_id }: Json) => request_id !== null && kind !== 'adjustment',
  );
async function diskBytes(): Promise<number> {
  const { text } = await gateway.server.call('/metrics', { headers: bearer(gateway.server.adminToken) });
  return Number(/^tollgate_upload_disk_bytes (\d+)$/m.exec(text)![1]);
}

for (const row of rows) {
  const { path, model, whole, stream, usd } = row;

  test(`${path}: another route gets the same file, and one answer is billed`, async () => {
    const key = await gateway.createPayer(CREDIT);
    upstream.answer('hidden-failing', failing(503));
    upstream.answer('hidden-healthy', whole);
    const form = formTo(row, `${model}-two-routes`);
    const answer = await gateway.call(key, path, form);
    expect(answer.status).toBe(200);
    expect(answer.status === 200 ? '' : answer.text).toBe('');
    expectNoTrace(answer, [upstream.port]);
    const [first, second] = upstream.requests;
    const file = (form.get('file') ?? form.get('image')) as File;
    const hash = String(Bun.hash(await file.arrayBuffer()));
    expect({ first: first!.fields.model, second: second!.fields.model }).toEqual({
      first: 'hidden-failing',
      second: 'hidden-healthy',
    });
    for (const { files } of [first!, second!]) expect(files).toMatchObject([{ hash }]);
    expect({ requestCount: upstream.requests.length, count: (await entries(key)).length }).toEqual({
      requestCount: 2,
      count: 1,
    });
    expect(await paidBy(key)).toBe(costOf(usd.whole));
  });

  test(`${path}: a failed or invalid answer becomes an error and costs nothing`, async () => {
    const key = await gateway.createPayer(CREDIT);
    for (const answer of [failing(500), failing(429), failing(401), ...row.broken]) {
      upstream.answer(`hidden-${model}`, answer);
      const refused = await gateway.call(key, path, formTo(row, model));
      expect(refused.status).toBeWithin(502, 504);
      expectNoTrace(refused, [upstream.port]);
    }
    upstream.answer(`hidden-${model}`, failing(400, 'Invalid file format'));
    const invalid = await gateway.call(key, path, formTo(row, model));
    expect(invalid).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } });
    expect(await paidBy(key)).toBe(0);
    expect(await diskBytes()).toBe(0);
  });

  if (stream)
    test(`${path}: a stream is billed at its end, and a broken one costs nothing`, async () => {
      const key = await gateway.createPayer(CREDIT);
      upstream.answer('hidden-failing', events([{ error: { message: 'hidden' } }]));
      upstream.answer('hidden-healthy', events(stream.good));
      const answer = await gateway.call(key, path, formTo(row, `${model}-two-routes`, { stream: 'true' }));
      expect({ status: answer.status, contentType: answer.headers.get('content-type') }).toEqual({
        status: 200,
        contentType: 'text/event-stream; charset=utf-8',
      });
      expect(answer.text.match(/^data: .*"type"/gm)).toHaveLength(2);
      expect(await paidBy(key)).toBe(costOf(usd.stream!));
      const [first] = stream.good;
      for (const broken of [[first!, { error: { message: 'hidden' } }], [first!]]) {
        upstream.answer(`hidden-${model}`, events(broken));
        const half = await gateway.call(key, path, formTo(row, model, { stream: 'true' }));
        expect(half.text).toContain('"error"');
        expectNoTrace(half, [upstream.port]);
      }
      expect(await paidBy(key)).toBe(costOf(usd.stream!));
    });

  test(`${path}: a client that leaves before the answer owes what it asked for, once`, async () => {
    const key = await gateway.createPayer(CREDIT);
    const gate = Promise.withResolvers<void>();
    upstream.answer(`hidden-${model}`, async (request) => {
      await gate.promise;
      return whole(request);
    });
    const client = new AbortController();
    const { signal } = client;
    const pending = gateway.send(path, key, formTo(row, model), { signal }).catch(() => 'left');
    await waitFor(() => upstream.requests.length === 1);
    client.abort();
    expect(await pending).toBe('left');
    await waitFor(async () => (await entries(key)).length === 1);
    gate.resolve();
    expect(await paidBy(key)).toBe(costOf(usd.most));
    expect(await entries(key)).toMatchObject([{ receipt: { outcome: 'left', estimated: true } }]);
    await waitFor(async () => (await diskBytes()) === 0);
  });

  if (stream)
    test(`${path}: a client that leaves a stream pays for what the stream reports at its end`, async () => {
      const key = await gateway.createPayer(CREDIT);
      const gate = Promise.withResolvers<void>();
      upstream.answer(`hidden-${model}`, events(stream.good, gate.promise));
      const answer = await gateway.send(path, key, formTo(row, model, { stream: 'true' }));
      const reader = answer.body!.getReader();
      expect(new TextDecoder().decode((await reader.read()).value)).toMatch(stream.first);
      expect(await diskBytes()).toBe(0); // one route has answered
      await reader.cancel();
      gate.resolve();
      await waitFor(async () => (await entries(key)).length === 1);
      expect(await paidBy(key)).toBeOneOf([costOf(usd.stream!), costOf(usd.most)]);
    });

  test(`${path}: a client that leaves in the middle of its upload costs and leaves nothing`, async () => {
    const key = await gateway.createPayer(CREDIT);
    const bytes = Buffer.from(await new Response(formTo(row, model)).arrayBuffer());
    const boundary = /^--(\S+)/.exec(bytes.toString('latin1', 0, 200))![1];
    const { hostname, port } = new URL(gateway.server.url);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {});
    socket.write(
      `POST ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key.key}\r\n` +
        `content-type: multipart/form-data; boundary=${boundary}\r\ncontent-length: ${bytes.length}\r\n\r\n`,
    );
    socket.write(bytes.subarray(0, bytes.length - 10));
    await waitFor(async () => (await diskBytes()) > 0);
    // The space is counted shortly before the file loses its name.
    await waitFor(() => readdirSync(join(dataDirectory, 'uploads')).length === 0);
    expect(await diskBytes()).toBeGreaterThan(0);
    socket.destroy();
    await waitFor(async () => (await diskBytes()) === 0);
    expect(upstream.requests).toHaveLength(0);
    expect(await paidBy(key)).toBe(0);
    expect(await entries(key)).toEqual([]);
  });
}

test.skipIf(isOnPostgres)(
  'a kill while upstreams are at work bills nothing, and keeps no hold and no file',
  async () => {
    const keys = await Promise.all(rows.map(() => gateway.createPayer(CREDIT)));
    for (const { model } of rows) upstream.answer(`hidden-${model}`, () => new Promise(() => {}));
    const pending = rows.map((row, at) =>
      gateway.send(row.path, keys[at]!, formTo(row, row.model)).then(
        () => 'answered',
        () => 'cut off',
      ),
    );
    await waitFor(() => upstream.requests.length === rows.length);
    gateway.server.signal('SIGKILL');
    await gateway.server.exited;
    expect(await Promise.all(pending)).toEqual(['cut off', 'cut off', 'cut off']);
    await gateway.stop();
    gateway = await startFormGateway({ dataDirectory });
    ({ upstream } = gateway);
    expect(readdirSync(join(dataDirectory, 'uploads'))).toEqual([]);
    for (const [at, row] of rows.entries()) {
      const key = keys[at]!;
      expect(await paidBy(key), row.path).toBe(0);
      expect(await entries(key), row.path).toHaveLength(0);
      upstream.answer(`hidden-${row.model}`, row.whole);
      const again = await gateway.call(key, row.path, formTo(row, row.model));
      expect(again.status).toBe(200);
      expect(await paidBy(key)).toEqual(costOf(row.usd.whole));
      expect(await entries(key)).toHaveLength(1);
    }
    const { body } = await gateway.server.admin('GET', '/ledger/verify');
    expect(body.faults).toEqual([]);
  },
);
