import { afterAll, beforeEach, expect, test } from 'bun:test';
import { bearer, type Json } from '../support/call.ts';
import { openRawClient } from '../support/raw-client.ts';
import { waitFor } from '../support/wait-for.ts';
import { fileOf, formOf, startFormGateway, wave } from './form-gateway.ts';
import { json } from './form-upstream.ts';
import { MICROCREDITS_PER_USD } from './metered-gateway.ts';

const gateway = await startFormGateway({ config: { limits: { max_upload_mb: 2 } } });
const { server, upstream, call, send } = gateway;
afterAll(gateway.stop);
beforeEach(() => void upstream.requests.splice(0));
const key = await gateway.bought(10 * MICROCREDITS_PER_USD);
upstream.answer('hidden-hears', json({ text: 'hi' }));
upstream.answer('hidden-hears-plainly', json({ text: 'hi' }));
upstream.answer('hidden-edits', json({ data: [{ b64_json: 'aGk=' }] }));

const HEARS = '/v1/audio/transcriptions';
const SAYS = '/v1/audio/translations';
const EDITS = '/v1/images/edits';
const speech = (seconds = 1) => fileOf(wave(seconds));
const picture = () => fileOf(wave(0), 'a.png', 'image/png');
const sound = (more: Json = {}) => ({ file: speech(), model: 'hears', ...more });
const edit = (more: Json = {}) => ({ image: picture(), model: 'edits', prompt: 'p', ...more });

const wrong: [path: string, form: Json, status: number, param: string | null][] = [
  [HEARS, { model: 'hears' }, 400, 'file'],
  [HEARS, { model: 'hears', file: 'text' }, 400, 'file'],
  [HEARS, { model: 'hears', file: fileOf(new Uint8Array()) }, 400, 'file'],
  [HEARS, sound({ file: [speech(), speech()] }), 400, 'file'],
  [HEARS, { file: speech() }, 400, 'model'],
  [HEARS, sound({ model: ['hears', 'hears'] }), 400, 'model'],
  [HEARS, sound({ 'model[]': 'hears' }), 400, 'model[]'],
  [HEARS, sound({ response_format: 'xml' }), 400, 'response_format'],
  [HEARS, sound({ temperature: '1.5' }), 400, 'temperature'],
  [HEARS, sound({ temperature: 'hot' }), 400, 'temperature'],
  [HEARS, sound({ stream: 'maybe' }), 400, 'stream'],
  [HEARS, sound({ stream: 'true', response_format: 'srt' }), 400, 'stream'],
  [HEARS, sound({ other: speech() }), 400, 'other'],
  [HEARS, sound({ prompt: 'x'.repeat(1_100_000) }), 400, 'prompt'],
  [HEARS, sound({ model: 'talks' }), 422, 'model'],
  [HEARS, sound({ model: 'edits' }), 422, 'model'],
  [HEARS, sound({ model: 'nobody' }), 404, 'model'],
  [SAYS, sound({ stream: 'true' }), 400, 'stream'],
  [SAYS, sound({ response_format: 'diarized_json' }), 400, 'response_format'],
  [EDITS, { model: 'edits', prompt: 'p' }, 400, 'image'],
  [EDITS, edit({ n: '11' }), 400, 'n'],
  [EDITS, edit({ n: '1.5' }), 400, 'n'],
  [EDITS, edit({ 'n[]': '10' }), 400, 'n[]'],
  [EDITS, edit({ prompt: '' }), 400, 'prompt'],
  [EDITS, edit({ image: Array.from({ length: 17 }, picture) }), 400, 'image'],
  [EDITS, edit({ 'image[]': picture() }), 400, 'image'],
  [EDITS, edit({ mask: 'text' }), 400, 'mask'],
  [EDITS, edit({ output_format: 'svg' }), 400, 'output_format'],
  [EDITS, edit({ 'svg[model]': 'other' }), 400, 'svg[model]'],
  [EDITS, edit({ model: 'hears' }), 422, 'model'],
];

test('names the field that is wrong, calls no upstream and bills nothing', async () => {
  for (const [path, form, status, param] of wrong) {
    const answer = await call(key, path, formOf(form));
    expect([path, form, answer.status, answer.body.error.param]).toEqual([path, form, status, param]);
  }
  expect(upstream.requests).toEqual([]);
  expect(await gateway.left(key)).toBe(10 * MICROCREDITS_PER_USD);
});

test('refuses bodies that are not forms, and refuses forms without a key before it reads them', async () => {
  const asked = (path: string, headers: Record<string, string>, body: string) =>
    server.call(path, { headers, body });
  const own = bearer(key.key);
  const cases: [string, Record<string, string>, string, number][] = [
    [HEARS, { ...own, 'content-type': 'application/json' }, '{"model":"hears","file":{}}', 400],
    [HEARS, { ...own, 'content-type': 'text/plain' }, 'x', 400],
    [HEARS, { ...own, 'content-type': 'multipart/form-data' }, '--b--', 400],
    [HEARS, { ...own, 'content-type': 'multipart/form-data; boundary=b' }, '--b--\r\n', 400],
    [HEARS, { ...own, 'content-type': 'multipart/form-data; boundary=b' }, '', 400],
    [HEARS, { ...own, 'content-type': 'multipart/mixed; boundary=b' }, '--b--\r\n', 400],
    [EDITS, { ...own, 'content-type': 'multipart/form-data; boundary=b' }, '{"model":"edits"}', 400],
    [HEARS, { 'content-type': 'multipart/form-data; boundary=b' }, 'x', 401],
  ];
  for (const [path, headers, body, status] of cases) {
    const answer = await asked(path, headers, body);
    expect([headers, body, answer.status]).toEqual([headers, body, status]);
  }
  const drawn = { model: 'edits', prompt: 'p', svg: { model: 'other' } };
  const svg = await server.call('/v1/images/generations', { headers: own, body: drawn });
  expect([svg.status, svg.body.error.param]).toEqual([400, 'svg']);
  const quoted = await server.call('/v1/quote', { headers: own, body: { model: 'hears', file: {} } });
  expect([quoted.status, quoted.body.error.param]).toEqual([400, 'file']);
  expect(upstream.requests).toEqual([]);
});

test('refuses uploads over the limit with 413, however they are sent [LIF-02]', async () => {
  const large = formOf(sound({ file: speech(200) })); // 3.2 MB
  const announced = await call(key, HEARS, large);
  expect([announced.status, announced.body.error.code]).toEqual([413, 'body_too_large']);
  expect(announced.body.error.message).toContain('2 MB');
  const encoded = new Response(large);
  const type = encoded.headers.get('content-type')!;
  const { body } = encoded;
  const chunked = await send(HEARS, key, new FormData(), {
    body,
    headers: { ...bearer(key.key), 'content-type': type },
    duplex: 'half',
  } as RequestInit);
  expect([chunked.status, (await chunked.json()) as Json]).toMatchObject([
    413,
    { error: { code: 'body_too_large' } },
  ]);
  const raw = openRawClient(server.url);
  raw.send(
    `POST ${HEARS} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key.key}\r\n` +
      'content-type: multipart/form-data; boundary=b\r\ncontent-length: 99999999999\r\n\r\n--b\r\n',
  );
  await waitFor(() => raw.received().includes('413'));
  raw.leave();
  expect(upstream.requests).toEqual([]);
});

test('a part that a reader could take for another one is refused', async () => {
  const head = (disposition: string, more = '') =>
    `--b\r\nContent-Disposition: form-data; ${disposition}\r\n${more}\r\n`;
  const file = `${head('name="file"; filename="a.wav"')}${Buffer.from(wave(1)).toString('latin1')}\r\n`;
  const model = `${head('name="model"')}hears\r\n`;
  const parts = [
    `${head('name="prompt"', 'Content-Type: multipart/mixed; boundary=c\r\n')}--c\r\n\r\nx\r\n--c--\r\n`,
    `${head('name="prompt"', 'Content-Type: text/plain; charset=utf-7\r\n')}x\r\n`,
    `${head('name="_charset_"')}utf-7\r\n`,
    `${head('name="mo\\"del"')}other\r\n`,
    `${head('name="model"; name="n"')}other\r\n`,
    `${head('name="prompt"', 'Content-Transfer-Encoding: base64\r\n')}eA==\r\n`,
    `--b\r\nContent-Disposition: form-data;\r\n name="prompt"\r\n\r\nx\r\n`,
    Array.from({ length: 130 }, (_, at) => `${head(`name="f${at}"`)}x\r\n`).join(''),
  ];
  for (const part of parts) {
    const body = Buffer.from(`${file}${model}${part}--b--\r\n`, 'latin1');
    const headers = { ...bearer(key.key), 'content-type': 'multipart/form-data; boundary=b' };
    const answer = await server.call(HEARS, { headers, body: new Uint8Array(body) });
    expect([part, answer.status]).toEqual([part, 400]);
  }
  expect(upstream.requests).toEqual([]);
});

test('takes fields after the file, keeps unknown ones, and drops what a model or no host may get', async () => {
  const sent = { file: speech(), language: 'en', 'chunking_strategy[type]': 'server_vad', own_field: 'x' };
  const dropped = { max_tokens: '5', url: 'https://one.example/hour.wav', Audio_URL: 'https://one.example' };
  expect((await call(key, HEARS, formOf({ ...sent, ...dropped, model: 'hears' }))).status).toBe(200);
  const { fields, files } = upstream.requests[0]!;
  const kept = { language: 'en', 'chunking_strategy[type]': 'server_vad', own_field: 'x' };
  expect(fields).toEqual({ ...kept, model: 'hidden-hears' });
  expect(files).toMatchObject([{ field: 'file', name: 'speech.wav', bytes: 16_044 }]);
  const plain = await call(
    key,
    HEARS,
    formOf(sound({ model: 'hears-plainly', temperature: '0.5', prompt: 'p' })),
  );
  expect([plain.status, plain.headers.get('x-svc-translation-losses')]).toEqual([200, 'sampling']);
  expect(upstream.requests[1]!.fields).toEqual({ prompt: 'p', model: 'hidden-hears-plainly' });
  for (const name of ['api_base', 'models[]', 'API_KEY']) {
    const refused = await call(key, HEARS, formOf(sound({ [name]: 'http://evil' })));
    expect([name, refused.status]).toEqual([name, name === 'api_base' ? 422 : 200]);
  }
  for (const { fields } of upstream.requests)
    expect(Object.keys(fields).join()).not.toMatch(/api_|models|url/i);
});
