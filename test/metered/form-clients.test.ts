import { afterAll, expect, test } from 'bun:test';
import { createReadStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import OpenAI, { toFile } from 'openai';
import { serveSimulator } from '../../src/simulator/serving/serve-simulator.ts';
import { startServer } from '../support/start-server.ts';

const simulator = serveSimulator();
const folder = mkdtempSync(join(tmpdir(), 'forms-'));
const transcription = (id: string, model: string) => ({
  id,
  plan: 'free',
  kind: 'transcription',
  metered_usd: { per_second: 0.0001 },
  routes: [{ provider: 'sound', model }],
});
const server = await startServer({
  config: {
    simulator: { mode: 'off' },
    providers: [
      { id: 'sound', wire: 'openai-audio', base_url: `${simulator.url}/v1`, api_key: 'any' },
      { id: 'pictures', wire: 'openai-images', base_url: `${simulator.url}/v1`, api_key: 'any' },
    ],
    catalog: {
      default: false,
      models: [
        transcription('our-whisper', 'whisper-1'),
        transcription('our-gpt-4o', 'gpt-4o-transcribe'),
        transcription('our-diarization', 'gpt-4o-transcribe-diarize'),
        {
          id: 'our-image',
          plan: 'free',
          kind: 'image',
          metered_usd: { per_image: [{ usd: 0.04 }] },
          routes: [{ provider: 'pictures', model: 'gpt-image-1' }],
        },
      ],
    },
  },
});
afterAll(async () => {
  await server.stop();
  await simulator.stop();
  rmSync(folder, { recursive: true });
});
const { key } = await server.createKey('enterprise');
const client = new OpenAI({ apiKey: key, baseURL: `${server.url}/v1`, maxRetries: 0 });
const sound = (seconds: number) => new Uint8Array(seconds * 32_000).fill(7);
const lastRequest = () => simulator.requests().at(-1)!;

test('the official client transcribes files, streams and buffers, in each format', async () => {
  const { transcriptions } = client.audio;
  const path = join(folder, 'speech.wav');
  writeFileSync(path, sound(80)); // 2.5 MB, which go to the disk
  const transcript = await transcriptions.create({ file: createReadStream(path), model: 'our-whisper' });
  expect(transcript).toMatchObject({ text: '[simulated] 80 seconds of speech from speech.wav.' });
  expect(lastRequest().body).toMatchObject({
    model: 'whisper-1',
    file: { filename: 'speech.wav', bytes: 2_560_000 },
  });
  const file = await toFile(Buffer.from(sound(2)), 'two.mp3', { type: 'audio/mpeg' });
  const prompt = 'say: Hello there.';
  const verbose = await transcriptions.create({
    file,
    prompt,
    model: 'our-whisper',
    response_format: 'verbose_json' as const,
    language: 'en',
    temperature: 0.2,
    timestamp_granularities: ['word', 'segment'] as const,
  } as never);
  expect(verbose).toMatchObject({
    duration: 2,
    words: [{ word: 'Hello' }, { word: 'there.' }],
    segments: [{}],
  });
  expect(lastRequest().body).toMatchObject({
    temperature: 0.2,
    language: 'en',
    file: { content_type: 'audio/mpeg' },
  });
  const plain = { text: 'Hello there.\n', srt: '1\n00:00:00,000', vtt: 'WEBVTT\n\n' };
  for (const [format, start] of Object.entries(plain)) {
    const text: unknown = await transcriptions.create({
      file,
      prompt,
      model: 'our-whisper',
      response_format: format as 'text',
    });
    expect(text).toStartWith(start);
  }
  const speakers = await transcriptions.create({
    file,
    prompt,
    model: 'our-diarization',
    response_format: 'diarized_json' as const,
    known_speaker_names: ['Ada'],
  });
  expect(speakers).toMatchObject({ segments: [{ speaker: 'Ada', text: 'Hello there.' }] });
  const withLogprobs = await transcriptions.create({
    file,
    prompt,
    model: 'our-gpt-4o',
    include: ['logprobs'],
  });
  expect(withLogprobs.logprobs!.length).toBeGreaterThan(1);
  const english = await client.audio.translations.create({ file, prompt, model: 'our-whisper' });
  expect(english.text).toBe('Hello there.');
  expect(lastRequest().path).toBe('/v1/audio/translations');
});

test('the official client streams a transcript, even from a model that does not stream', async () => {
  const ask = { file: await toFile(sound(1), 'a.wav'), prompt: 'say: one two', stream: true as const };
  for (const model of ['our-gpt-4o', 'our-whisper']) {
    const events = await Array.fromAsync(await client.audio.transcriptions.create({ ...ask, model }));
    const text = events.map((event) => ('delta' in event ? event.delta : '')).join('');
    expect({ model, text }).toEqual({ model, text: 'one two' });
    expect(events.at(-1)).toMatchObject({ type: 'transcript.text.done', text: 'one two' });
  }
  const plain = await client.audio.transcriptions.create({
    ...ask,
    model: 'our-whisper',
    response_format: 'text' as const,
  });
  expect((await Array.fromAsync(plain)).at(-1)).toMatchObject({ text: 'one two' });
});

test('the official client edits images, whole and as a stream', async () => {
  const picture = (name: string) => toFile(Buffer.from(name), name, { type: 'image/png' });
  const image = [await picture('a.png'), await picture('b.png')];
  const edited = await client.images.edit({
    image,
    mask: await picture('m.png'),
    prompt: 'a hat',
    model: 'our-image',
    n: 2,
    size: '256x256',
    quality: 'low',
  });
  expect(edited).toMatchObject({ size: '256x256', quality: 'low', data: [{}, {}] });
  expect(lastRequest().body).toMatchObject({ model: 'gpt-image-1', 'image[]': [{}, {}], mask: {}, n: 2 });
  const stream = await client.images.edit({
    image: image[0]!,
    prompt: 'a hat',
    model: 'our-image',
    size: '64x64',
    stream: true as const,
    partial_images: 1,
  });
  const types = (await Array.fromAsync(stream)).map(({ type }) => type);
  expect(types).toEqual(['image_edit.partial_image', 'image_edit.completed']);
  const large = await client.images.edit({
    image: image[0]!,
    prompt: 'large',
    model: 'our-image',
    n: 10,
    size: '4096x4096',
    output_format: 'jpeg',
  });
  expect(Buffer.from(large.data![9]!.b64_json!, 'base64').length).toBeGreaterThan(100_000);
});

test('takes edits as JSON, and keeps the limit of JSON bodies and the bounds of the operator', async () => {
  const edit = (body: object) =>
    server.call('/v1/images/edits', { headers: { authorization: `Bearer ${key}` }, body });
  const images = [{ image_url: 'data:image/png;base64,aGk=' }];
  const json = { model: 'our-image', prompt: 'a hat', images };
  expect((await edit(json)).status).toBe(200);
  expect(lastRequest().body).toEqual({ ...json, model: 'gpt-image-1' });
  const long = { ...json, images: [{ image_url: `data:image/png;base64,${'a'.repeat(11_000_000)}` }] };
  expect((await edit(long)).status).toBe(413);
  expect((await edit({ ...json, images: undefined })).body.error).toMatchObject({ param: 'images' });
  expect((await edit({ ...json, images: [{ file_id: 'file-1' }] })).status).toBeGreaterThanOrEqual(400);
});

test('counts a form as one request and as one concurrent request, however many images it asks for [LIM-39]', async () => {
  const remainingAfter = async (path: string, fields: Record<string, string | File>) => {
    const body = new FormData();
    for (const [name, value] of Object.entries(fields)) body.append(name, value);
    const headers = { authorization: `Bearer ${key}` };
    const answer = await fetch(server.url + path, { method: 'POST', headers, body });
    expect(answer.status).toBe(200);
    await answer.arrayBuffer();
    return Number(answer.headers.get('x-ratelimit-remaining-requests'));
  };
  const file = new File([sound(1)], 'a.wav');
  const before = await remainingAfter('/v1/audio/transcriptions', { file, model: 'our-whisper' });
  expect(await remainingAfter('/v1/audio/translations', { file, model: 'our-whisper' })).toBe(before - 1);
  const edit = { image: file, prompt: 'p', model: 'our-image', n: '3', size: '16x16' };
  expect(await remainingAfter('/v1/images/edits', edit)).toBe(before - 2);
});
