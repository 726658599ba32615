import { afterAll, beforeEach, expect, test } from 'bun:test';
import { MICROCREDITS_PER_USD } from '../../src/money/ledger/microcredits.ts';
import { bearer, type Json } from '../support/call.ts';
import { openRawClient } from '../support/raw-client.ts';
import { waitFor } from '../support/wait-for.ts';
import { fileOf, formOf, startFormGateway, wave } from './form-gateway.ts';
import { json } from './form-upstream.ts';

const gateway = await startFormGateway({ config: { limits: { max_upload_mb: 2 } } });
const { server, upstream, call, send } = gateway;
afterAll(gateway.stop);
beforeEach(() => void upstream.requests.splice(0));
const key = await gateway.createPayer(10 * MICROCREDITS_PER_USD);
upstream.answer('hidden-transcription', json({ text: 'hi' }));
upstream.answer('hidden-transcription-without-temperature', json({ text: 'hi' }));
upstream.answer('hidden-edit', json({ data: [{ b64_json: 'aGk=' }] }));

const TRANSCRIPTIONS = '/v1/audio/transcriptions';
const TRANSLATIONS = '/v1/audio/translations';
const EDITS = '/v1/images/edits';
const speech = (seconds = 1) => fileOf(wave(seconds));
const picture = () => fileOf(wave(0), 'a.png', 'image/png');
const sound = (more: Json = {}) => ({ file: speech(), model: 'transcription', ...more });
const edit = (more: Json = {}) => ({ image: picture(), model: 'edit', prompt: 'p', ...more });

const wrongFields: [path: string, form: Json, status: number, param: string | null][] = [
  [TRANSCRIPTIONS, { model: 'transcription' }, 400, 'file'],
  [TRANSCRIPTIONS, { model: 'transcription', file: 'text' }, 400, 'file'],
  [TRANSCRIPTIONS, { model: 'transcription', file: fileOf(new Uint8Array()) }, 400, 'file'],
  [TRANSCRIPTIONS, sound({ file: [speech(), speech()] }), 400, 'file'],
  [TRANSCRIPTIONS, { file: speech() }, 400, 'model'],
  [TRANSCRIPTIONS, sound({ model: ['transcription', 'transcription'] }), 400, 'model'],
  [TRANSCRIPTIONS, sound({ 'model[]': 'transcription' }), 400, 'model[]'],
  [TRANSCRIPTIONS, sound({ response_format: 'xml' }), 400, 'response_format'],
  [TRANSCRIPTIONS, sound({ temperature: '1.5' }), 400, 'temperature'],
  [TRANSCRIPTIONS, sound({ temperature: 'hot' }), 400, 'temperature'],
  [TRANSCRIPTIONS, sound({ stream: 'maybe' }), 400, 'stream'],
  [TRANSCRIPTIONS, sound({ stream: 'true', response_format: 'srt' }), 400, 'stream'],
  [TRANSCRIPTIONS, sound({ other: speech() }), 400, 'other'],
  [TRANSCRIPTIONS, sound({ prompt: 'x'.repeat(1_100_000) }), 400, 'prompt'],
  [TRANSCRIPTIONS, sound({ model: 'chat' }), 422, 'model'],
  [TRANSCRIPTIONS, sound({ model: 'edit' }), 422, 'model'],
  [TRANSCRIPTIONS, sound({ model: 'nobody' }), 404, 'model'],
  [TRANSLATIONS, sound({ stream: 'true' }), 400, 'stream'],
  [TRANSLATIONS, sound({ response_format: 'diarized_json' }), 400, 'response_format'],
  [EDITS, { model: 'edit', prompt: 'p' }, 400, 'image'],
  [EDITS, edit({ n: '11' }), 400, 'n'],
  [EDITS, edit({ n: '1.5' }), 400, 'n'],
  [EDITS, edit({ 'n[]': '10' }), 400, 'n[]'],
  [EDITS, edit({ prompt: '' }), 400, 'prompt'],
  [EDITS, edit({ image: Array.from({ length: 17 }, picture) }), 400, 'image'],
  [EDITS, edit({ 'image[]': picture() }), 400, 'image'],
  [EDITS, edit({ mask: 'text' }), 400, 'mask'],
  [EDITS, edit({ output_format: 'svg' }), 400, 'output_format'],
  [EDITS, edit({ 'svg[model]': 'other' }), 400, 'svg[model]'],
  [EDITS, edit({ model: 'transcription' }), 422, 'model'],
];

test('names the field that is wrong, calls no upstream and bills nothing', async () => {
  for (const [path, form, status, param] of wrongFields) {
    const answer = await call(key, path, formOf(form));
    expect({ path, form, status: answer.status, param: answer.body.error.param }).toEqual({
      path,
      form,
      status,
      param,
    });
  }
  expect(upstream.requests).toEqual([]);
  expect(await gateway.purchasedLeft(key)).toBe(10 * MICROCREDITS_PER_USD);
});

test('refuses bodies that are not forms, and refuses forms without a key before it reads them', async () => {
  const ask = (path: string, headers: Record<string, string>, body: string) =>
    server.call(path, { headers, body });
  const own = bearer(key.key);
  const cases: [string, Record<string, string>, string, number][] = [
    [
      TRANSCRIPTIONS,
      { ...own, 'content-type': 'application/json' },
      '{"model":"transcription","file":{}}',
      400,
    ],
    [TRANSCRIPTIONS, { ...own, 'content-type': 'text/plain' }, 'x', 400],
    [TRANSCRIPTIONS, { ...own, 'content-type': 'multipart/form-data' }, '--b--', 400],
    [TRANSCRIPTIONS, { ...own, 'content-type': 'multipart/form-data; boundary=b' }, '--b--\r\n', 400],
    [TRANSCRIPTIONS, { ...own, 'content-type': 'multipart/form-data; boundary=b' }, '', 400],
    [TRANSCRIPTIONS, { ...own, 'content-type': 'multipart/mixed; boundary=b' }, '--b--\r\n', 400],
    [EDITS, { ...own, 'content-type': 'multipart/form-data; boundary=b' }, '{"model":"edit"}', 400],
    [TRANSCRIPTIONS, { 'content-type': 'multipart/form-data; boundary=b' }, 'x', 401],
  ];
  for (const [path, headers, body, status] of cases) {
    const answer = await ask(path, headers, body);
    expect({ headers, body, status: answer.status }).toEqual({ headers, body, status });
  }
  const body = { model: 'edit', prompt: 'p', svg: { model: 'other' } };
  const svg = await server.call('/v1/images/generations', { headers: own, body });
  expect({ status: svg.status, param: svg.body.error.param }).toEqual({ status: 400, param: 'svg' });
  const quote = await server.call('/v1/quote', { headers: own, body: { model: 'transcription', file: {} } });
  expect({ status: quote.status, param: quote.body.error.param }).toEqual({ status: 400, param: 'file' });
  expect(upstream.requests).toEqual([]);
});

test('refuses uploads over the limit with 413, however they are sent [LIF-02]', async () => {
  const large = formOf(sound({ file: speech(200) })); // 3.2 MB
  const announced = await call(key, TRANSCRIPTIONS, large);
  expect(announced).toMatchObject({ status: 413, body: { error: { code: 'body_too_large' } } });
  expect(announced.body.error.message).toContain('2 MB');
  const encoded = new Response(large);
  const type = encoded.headers.get('content-type')!;
  const { body } = encoded;
  const chunked = await send(TRANSCRIPTIONS, key, new FormData(), {
    body,
    headers: { ...bearer(key.key), 'content-type': type },
    duplex: 'half',
  } as RequestInit);
  expect(chunked.status).toBe(413);
  expect((await chunked.json()) as Json).toMatchObject({ error: { code: 'body_too_large' } });
  const raw = openRawClient(server.url);
  raw.send(
    `POST ${TRANSCRIPTIONS} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key.key}\r\n` +
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
  const model = `${head('name="model"')}transcription\r\n`;
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
    const answer = await server.call(TRANSCRIPTIONS, { headers, body: new Uint8Array(body) });
    expect({ part, status: answer.status }).toEqual({ part, status: 400 });
  }
  expect(upstream.requests).toEqual([]);
});

test('takes fields after the file, keeps unknown ones, and drops what a model or no host may get', async () => {
  const sent = { file: speech(), language: 'en', 'chunking_strategy[type]': 'server_vad', own_field: 'x' };
  const dropped = { max_tokens: '5', url: 'https://one.example/hour.wav', Audio_URL: 'https://one.example' };
  expect(
    (await call(key, TRANSCRIPTIONS, formOf({ ...sent, ...dropped, model: 'transcription' }))).status,
  ).toBe(200);
  const { fields, files } = upstream.requests[0]!;
  const kept = { language: 'en', 'chunking_strategy[type]': 'server_vad', own_field: 'x' };
  expect(fields).toEqual({ ...kept, model: 'hidden-transcription' });
  expect(files).toMatchObject([{ field: 'file', name: 'speech.wav', bytes: 16_044 }]);
  const plain = await call(
    key,
    TRANSCRIPTIONS,
    formOf(sound({ model: 'transcription-without-temperature', temperature: '0.5', prompt: 'p' })),
  );
  expect({ status: plain.status, translationLosses: plain.headers.get('x-svc-translation-losses') }).toEqual({
    status: 200,
    translationLosses: 'sampling',
  });
  expect(upstream.requests[1]!.fields).toEqual({
    prompt: 'p',
    model: 'hidden-transcription-without-temperature',
  });
  for (const name of ['api_base', 'models[]', 'API_KEY']) {
    const refused = await call(key, TRANSCRIPTIONS, formOf(sound({ [name]: 'http://evil' })));
    expect({ name, status: refused.status }).toEqual({ name, status: name === 'api_base' ? 422 : 200 });
  }
  for (const { fields } of upstream.requests)
    expect(Object.keys(fields).join()).not.toMatch(/api_|models|url/i);
});
