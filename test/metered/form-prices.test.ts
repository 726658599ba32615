import { afterAll, expect, test } from 'bun:test';
import { MICROCREDITS_PER_USD } from '../../src/money/ledger/microcredits.ts';
import { bearer, type Json } from '../support/call.ts';
import { expectNoTrace } from '../support/expect-no-trace.ts';
import { fileOf, formOf, startFormGateway, wave } from './form-gateway.ts';
import { events, json, plain } from './form-upstream.ts';
import { meteredRows } from './metered-gateway.ts';

const gateway = await startFormGateway();
const { server, upstream, createPayer, call, send, receiptOf, purchasedLeft } = gateway;
afterAll(gateway.stop);

const TRANSCRIPTIONS = '/v1/audio/transcriptions';
const EDITS = '/v1/images/edits';
const speech = (seconds: number) => fileOf(wave(seconds));
const picture = (name: string) => fileOf(new Uint8Array(Buffer.from(`png ${name}`)), name, 'image/png');
const images = (count: number, more: Json = {}) =>
  json({
    created: 1,
    provider: 'hidden',
    data: Array.from({ length: count }, () => ({ b64_json: 'aGk=' })),
    ...more,
  });
const tokens = {
  type: 'tokens',
  input_tokens: 120,
  output_tokens: 20,
  total_tokens: 140,
  input_token_details: { text_tokens: 20, audio_tokens: 100 },
};

type Case = {
  name: string;
  path?: string;
  form: Json;
  answer: ReturnType<typeof json>;
  rows: Json[];
  usd: number;
  /** The hold, if it is larger than the cost. */
  held?: number;
};
const seconds = (count: number, usd = 0.0001) => [{ kind: 'second', count, usd_per_unit: usd }];

const cases: Case[] = [
  {
    name: "the upstream's seconds",
    form: { file: speech(10), model: 'transcription' },
    answer: json({ text: 'hi', usage: { type: 'duration', seconds: 7.2 }, x_host: 'hidden' }),
    rows: seconds(8),
    usd: 0.0008,
    held: 0.001,
  },
  {
    name: 'the duration of a verbose answer',
    form: { file: speech(10), model: 'transcription', response_format: 'verbose_json' },
    answer: json({ task: 'transcribe', text: 'hi', duration: 3, segments: [] }),
    rows: seconds(3),
    usd: 0.0003,
    held: 0.001,
  },
  {
    name: 'no more seconds than the file has',
    form: { file: speech(10), model: 'transcription' },
    answer: json({ text: 'hi', usage: { type: 'duration', seconds: 9_999 } }),
    rows: seconds(10),
    usd: 0.001,
  },
  {
    name: 'the seconds of the file where the upstream reports none',
    form: { file: speech(9.01), model: 'transcription', response_format: 'srt' },
    answer: plain('1\n00:00:00,000 --> 00:00:09,000\nhi\n\n'),
    rows: seconds(10),
    usd: 0.001,
  },
  {
    name: 'four hours for 25 MB of sound that cannot be measured',
    form: {
      file: fileOf(new Uint8Array(1024 * 1024).fill(120), 'a.bin', 'application/x-any'),
      model: 'transcription',
    },
    answer: json({ text: 'hi', usage: { type: 'duration', seconds: 20 } }),
    rows: seconds(20),
    usd: 0.002,
    held: 0.0576,
  },
  {
    name: 'tokens of sound, of text and of the answer',
    form: { file: speech(10), model: 'transcription-by-tokens', prompt: 'names' },
    answer: json({ text: 'hi', usage: tokens }),
    rows: seconds(10, 0),
    usd: (20 * 2.5 + 100 * 6 + 20 * 10) / 1e6,
    held: ((10 * 50 + 5) * 6 + (1_000 + 10 * 50) * 10) / 1e6,
  },
  {
    name: 'seconds of a translation',
    path: '/v1/audio/translations',
    form: { model: 'transcription', file: speech(2), response_format: 'text' },
    answer: plain('hello\n'),
    rows: seconds(2),
    usd: 0.0002,
  },
  {
    name: 'seconds of a stream',
    form: { file: speech(4), model: 'transcription', stream: 'true' },
    answer: events([
      { type: 'transcript.text.delta', delta: 'hi' },
      { type: 'transcript.text.done', text: 'hi', usage: { type: 'duration', seconds: 4 } },
    ]),
    rows: seconds(4),
    usd: 0.0004,
  },
  {
    name: 'images that are edited',
    path: EDITS,
    form: {
      'image[]': [picture('a.png'), picture('b.png')],
      mask: picture('m.png'),
      prompt: 'a hat',
      n: '3',
      size: '1024x1024',
      quality: 'high',
      model: 'edit',
    },
    answer: images(3),
    rows: [{ kind: 'image', count: 3, usd_per_unit: 0.167 }],
    usd: 0.501,
  },
  {
    name: 'fewer images than were asked for',
    path: EDITS,
    form: { image: picture('a.png'), prompt: 'a hat', n: '2', model: 'edit', size: 'auto', quality: 'high' },
    answer: images(1, { size: '1024x1024' }),
    rows: [{ kind: 'image', count: 1, usd_per_unit: 0.167 }],
    usd: 0.167,
    held: 0.5,
  },
  {
    name: 'streamed images, and no partial ones',
    path: EDITS,
    form: {
      image: picture('a.png'),
      prompt: 'a hat',
      model: 'edit',
      size: '512x512',
      stream: 'true',
      partial_images: '2',
    },
    answer: events([
      { type: 'image_edit.partial_image', partial_image_index: 0, b64_json: 'aGk=' },
      { type: 'image_edit.partial_image', partial_image_index: 1, b64_json: 'aGk=' },
      { type: 'image_edit.completed', b64_json: 'aGk=' },
    ]),
    rows: [{ kind: 'image', count: 1, usd_per_unit: 0.25 }],
    usd: 0.25,
  },
];

for (const { name, path = TRANSCRIPTIONS, form, answer, rows, usd, held = usd } of cases)
  test(`bills ${name}: on the quote, the hold, the receipt and the ledger`, async () => {
    const cost = Math.round(usd * MICROCREDITS_PER_USD);
    const most = Math.ceil(held * MICROCREDITS_PER_USD - 1e-6);
    const key = await createPayer(10 * MICROCREDITS_PER_USD);
    upstream.answer(`hidden-${form.model}`, answer);
    const quote: Json = await (await send(`/v1/quote?endpoint=${path}`, key, formOf(form))).json();
    expect(quote.admitted).toBe(true);
    expect(Math.round(quote.credits.highest * 1e6)).toEqual(most);
    const response = await call(key, path, formOf(form));
    expect(response.status).toBe(200);
    expect(response.status === 200 ? '' : response.text).toBe('');
    expectNoTrace(response, [upstream.port]);
    const receipt = await receiptOf(key, response);
    expect(meteredRows(receipt)).toEqual(rows);
    expect(receipt).toMatchObject({
      endpoint: path,
      held_microcredits: most,
      microcredits: cost,
      outcome: 'complete',
    });
    expect(await purchasedLeft(key)).toBe(10 * MICROCREDITS_PER_USD - cost);
  });

test('passes on a long transcript in its own format, and a long answer with images', async () => {
  const key = await createPayer(MICROCREDITS_PER_USD);
  const text = `WEBVTT\n\n${'[[[['.repeat(1_300_000)}`; // 5.2 MB
  upstream.answer('hidden-transcription', plain(text, 'text/vtt'));
  const form = { file: speech(10), model: 'transcription', response_format: 'vtt' };
  const transcript = await call(key, TRANSCRIPTIONS, formOf(form));
  expect([transcript.status, transcript.headers.get('content-type'), transcript.text === text]).toEqual([
    200,
    'text/plain; charset=utf-8',
    true,
  ]);
  upstream.answer('hidden-edit', images(2, { data: Array(2).fill({ b64_json: 'A'.repeat(3_000_000) }) }));
  const edit = await call(
    key,
    EDITS,
    formOf({ image: picture('a.png'), prompt: 'p', model: 'edit', n: '2' }),
  );
  expect({ status: edit.status, length: edit.body.data.length, provider: edit.body.provider }).toEqual({
    status: 200,
    length: 2,
    provider: undefined,
  });
  expect(await purchasedLeft(key)).toBe(MICROCREDITS_PER_USD - (0.001 + 0.5) * MICROCREDITS_PER_USD);
});

test('refuses with 402 what the credit does not cover, before the upstream sees the file', async () => {
  upstream.answer('hidden-transcription', json({ text: 'hi' }));
  const before = upstream.requests.length;
  const poor = await createPayer(0.001 * MICROCREDITS_PER_USD - 1);
  const refused = await call(poor, TRANSCRIPTIONS, formOf({ file: speech(10), model: 'transcription' }));
  expect(refused).toMatchObject({ status: 402, body: { error: { code: 'insufficient_paid_credit' } } });
  expect(upstream.requests.length).toBe(before);
  const rich = await createPayer(0.001 * MICROCREDITS_PER_USD);
  expect(
    (await call(rich, TRANSCRIPTIONS, formOf({ file: speech(10), model: 'transcription' }))).status,
  ).toBe(200);
  expect(await purchasedLeft(rich)).toBe(0);
});

test('an audit of the ledger finds no fault, and no disk space and no hold is left', async () => {
  const { status, body } = await server.admin('GET', '/ledger/verify');
  expect({ status, faults: body.faults }).toEqual({ status: 200, faults: [] });
  const { text } = await server.call('/metrics', { headers: bearer(server.adminToken) });
  expect(text).toMatch(/^tollgate_upload_disk_bytes 0$/m);
});
