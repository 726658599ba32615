import { afterAll, expect, test } from 'bun:test';
import OpenAI from 'openai';
import { PICTURE_FORMATS } from '../media/picture.ts';
import { SOUND_FORMATS } from '../media/sound.ts';
import { serveSimulator } from './serve-simulator.ts';

const simulator = serveSimulator();
afterAll(() => simulator.stop());
const client = new OpenAI({ apiKey: 'any', baseURL: `${simulator.url}/v1`, maxRetries: 0 });

const post = (path: string, body: object) =>
  fetch(`${simulator.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer any' },
    body: JSON.stringify(body),
  });
// biome-ignore lint/suspicious/noExplicitAny: answers are read field by field
const ask = async (path: string, body: object): Promise<any> => (await post(path, body)).json();
async function refusal(path: string, body: object) {
  const answer = await post(path, body);
  const { error } = (await answer.json()) as { error: { param: string | null } };
  return { status: answer.status, param: error.param };
}

test('generates images of each format, which are the same for the same request', async () => {
  const starts = { png: '\x89PNG', jpeg: '\xff\xd8\xff', webp: 'RIFF' };
  for (const output_format of PICTURE_FORMATS) {
    const generate = () =>
      client.images.generate({ model: 'gpt-image-1', prompt: 'a hat', n: 2, size: '64x32', output_format });
    const [one, other] = await Promise.all([generate(), generate()]);
    expect(one).toMatchObject({ size: '64x32', quality: 'medium', output_format, background: 'opaque' });
    expect(one.data).toEqual(other.data!);
    const [first, second] = one.data!.map(({ b64_json }) => Buffer.from(b64_json!, 'base64'));
    expect(first!.toString('latin1')).toStartWith(starts[output_format]);
    expect(first!.includes('SIMULATED')).toBe(true);
    expect(first!.equals(second!)).toBe(false);
  }
});

test('an image uses tokens by its size and its quality', async () => {
  const { usage } = await client.images.generate({
    model: 'gpt-image-1',
    prompt: 'a hat',
    size: '1536x1024',
    quality: 'high',
  });
  expect(usage).toEqual({
    input_tokens: 2,
    input_tokens_details: { text_tokens: 2, image_tokens: 0 },
    output_tokens: 6_240,
    output_tokens_details: { text_tokens: 0, image_tokens: 6_240 },
    total_tokens: 6_242,
  });
});

test('streams partial images before the last one', async () => {
  const stream = await client.images.generate({
    model: 'gpt-image-1',
    prompt: 'a hat',
    stream: true as const,
    partial_images: 2,
  });
  const events = await Array.fromAsync(stream);
  expect(events).toMatchObject([
    { type: 'image_generation.partial_image' },
    { type: 'image_generation.partial_image' },
    { type: 'image_generation.completed' },
  ]);
  expect(events[1]).toMatchObject({ partial_image_index: 1, size: '1024x1024' });
  expect(events[2]).toMatchObject({ usage: { output_tokens: 1_256 } });
  expect(new Set(events.map(({ b64_json }) => b64_json)).size).toBe(3);
});

test('counts no partial images in a whole answer', async () => {
  const whole = await ask('/v1/images/generations', {
    model: 'gpt-image-1',
    prompt: 'a hat',
    partial_images: 2,
  });
  expect(whole.usage).toMatchObject({ output_tokens: 1_056 });
});

test('answers as DALL·E does', async () => {
  const drawn = await client.images.generate({ model: 'dall-e-3', prompt: 'a hat' });
  expect(Object.keys(drawn).sort()).toEqual(['created', 'data']);
  expect(drawn.data![0]).toMatchObject({
    url: expect.stringMatching(/^data:image\/png;base64,/),
    revised_prompt: '[simulated] a hat',
  });
});

const spoken = { model: 'gpt-4o-mini-tts', voice: 'alloy', input: 'x'.repeat(45) }; // 3 s

test('speaks in each format', async () => {
  const types = { mp3: 'mpeg', opus: 'ogg', aac: 'aac', flac: 'flac', wav: 'wav', pcm: 'pcm' };
  for (const response_format of SOUND_FORMATS) {
    const answer = await client.audio.speech.create({ ...spoken, response_format });
    expect(answer.headers.get('content-type')).toBe(`audio/${types[response_format]}`);
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(bytes.includes('SIMULATED')).toBe(!['aac', 'pcm'].includes(response_format));
    if (response_format === 'pcm') expect(bytes.length).toBe(3 * 48_000);
  }
});

test('the header of a wave file has the length of the rest', async () => {
  const wav = await client.audio.speech.create({ ...spoken, response_format: 'wav', speed: 3 });
  const bytes = Buffer.from(await wav.arrayBuffer());
  expect(bytes.readUInt32LE('RIFF'.length)).toBe(bytes.length - 'RIFF'.length - 4);
});

test('the sound of events is that of a whole answer', async () => {
  const events = await client.audio.speech.create({ ...spoken, stream_format: 'sse' });
  const frames = (await events.text()).trim().split('\n\n');
  const read = frames.map((frame) => JSON.parse(frame.slice('data: '.length)));
  expect(read.at(-1)).toEqual({
    type: 'speech.audio.done',
    usage: { input_tokens: expect.any(Number), output_tokens: 60, total_tokens: expect.any(Number) },
  });
  const sent = read.slice(0, -1).map(({ audio }) => Buffer.from(audio, 'base64'));
  const whole = Buffer.from(await (await client.audio.speech.create(spoken)).arrayBuffer());
  expect(Buffer.concat(sent).equals(whole)).toBe(true);
});

test('flags the categories that a text orders', async () => {
  const { results, id, model } = await client.moderations.create({
    input: ['hello', 'flag: violence, hate/threatening'],
  });
  expect({ id: id.slice(0, 5), model }).toEqual({ id: 'modr-', model: 'omni-moderation-latest' });
  expect(results.map(({ flagged }) => flagged)).toEqual([false, true]);
  const on = Object.entries(results[1]!.categories).filter(([, is]) => is);
  expect(on.map(([name]) => name).sort()).toEqual(['hate/threatening', 'violence']);
  expect(Object.values(results[0]!.category_scores).every((score) => score < 0.1)).toBe(true);
});

test('judges the parts of an input together', async () => {
  const mixed = await client.moderations.create({
    model: 'omni-moderation-latest',
    input: [
      { type: 'text', text: 'hello' },
      { type: 'image_url', image_url: { url: 'data:,' } },
    ],
  });
  expect(mixed.results).toHaveLength(1);
  expect(mixed.results[0]!.category_applied_input_types.violence).toEqual(['text', 'image']);
});

const ranking = {
  model: 'rerank-v4',
  query: 'What is the capital of France?',
  documents: ['bread and butter', 'the capital of France is Paris', { text: 'capital gains' }],
  top_n: 2,
};

test('ranks documents by the words of the query', async () => {
  const answer = await ask('/v2/rerank', ranking);
  expect(answer).toMatchObject({
    results: [{ index: 1 }, { index: 2 }],
    meta: { api_version: { version: '2' }, billed_units: { search_units: 1 } },
  });
  const [best, next] = answer.results;
  expect(best.relevance_score).toBeGreaterThan(next.relevance_score);
});

test('a search unit covers 100 documents', async () => {
  const documents = Array.from({ length: 101 }, (_, at) => `document ${at}`);
  const units = await ask('/v1/rerank', { ...ranking, documents, return_documents: true });
  expect(units.meta.billed_units).toEqual({ search_units: 2 });
  const [first] = units.results;
  expect(first.document).toEqual({ text: `document ${first.index}` });
});

test('refuses a ranking without documents', async () => {
  const refused = await post('/v2/rerank', { model: 'm', query: 'q', documents: [] });
  expect(refused.status).toBe(400);
  expect(await refused.json()).toEqual({ message: expect.any(String) });
});

test('leaves out the usage of a ranking on request', async () => {
  const bare = await ask('/v2/rerank', { ...ranking, model: 'm!usage=none' });
  expect(bare.meta).toEqual({ api_version: { version: '2' } });
});

test('names the member with a wrong value', async () => {
  const image = { model: 'm', prompt: 'p' };
  const speech = { model: 'm', input: 'i', voice: 'v' };
  const cases: [string, object, string | null][] = [
    ['/v1/images/generations', { ...image, prompt: '' }, 'prompt'],
    ['/v1/images/generations', { ...image, n: 11 }, 'n'],
    ['/v1/images/generations', { ...image, size: '1x1' }, 'size'],
    ['/v1/images/generations', { ...image, output_format: 'gif' }, 'output_format'],
    ['/v1/images/generations', { prompt: 'p' }, 'model'],
    ['/v1/audio/speech', { ...speech, input: 'x'.repeat(4_097) }, 'input'],
    ['/v1/audio/speech', { ...speech, voice: {} }, 'voice.id'],
    ['/v1/audio/speech', { ...speech, speed: 5 }, 'speed'],
    ['/v1/audio/speech', { ...speech, response_format: 'x' }, 'response_format'],
    ['/v1/audio/speech', { ...speech, model: 'tts-1', stream_format: 'sse' }, 'stream_format'],
    ['/v1/moderations', { input: [] }, 'input'],
    ['/v1/moderations', { input: [{ type: 'x' }] }, 'input[0].type'],
  ];
  for (const [path, body, param] of cases)
    expect({ path, body, ...(await refusal(path, body)) }).toEqual({ path, body, status: 400, param });
});

test('misbehaves on request in the middle of a sound, an image stream and a text', async () => {
  const speech = { voice: 'v', input: 'x'.repeat(150), response_format: 'mp3' }; // 22 pieces of 1,920 bytes
  const speak = (model: string) => post('/v1/audio/speech', { ...speech, model });
  await expect(speak('m!cut-after=3').then((answer) => answer.bytes())).rejects.toThrow();
  const early = await (await speak('m!malformed-after=3')).bytes();
  expect(early.length).toBe(2 * 1_920 + 30); // the head is the first piece
  const failed = await speak('m!error-after=2');
  expect(await failed.json()).toMatchObject({ error: { type: 'server_error' } });
  const page = await speak('m!content-type=text/html');
  expect(await page.text()).toContain('<html>');
  const dripped = await (await speak('m!drip-bytes=1000')).bytes();
  expect(dripped.length).toBe(21 * 1_920 + 30);
  const images = await post('/v1/images/generations', {
    model: 'm!error-after=1',
    prompt: 'p',
    stream: true,
    partial_images: 2,
    size: '16x16',
  });
  const text = await images.text();
  expect(text).toContain('event: image_generation.partial_image');
  expect(text).toContain('event: error\ndata: {"type":"error","error":');
  const form = new FormData();
  form.append('file', new File(['x'], 'a.wav'));
  form.append('model', 'whisper-1!malformed-after=0');
  form.append('response_format', 'srt');
  const half = await fetch(`${simulator.url}/v1/audio/transcriptions`, { method: 'POST', body: form });
  expect(half.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect((await half.text()).length).toBeLessThan(50);
});
