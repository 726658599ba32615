import { afterAll, expect, test } from 'bun:test';
import OpenAI from 'openai';
import { serveSimulator } from './serve-simulator.ts';

const simulator = serveSimulator();
const silent = serveSimulator({ apiKey: 'right' });
afterAll(() => Promise.all([simulator.stop(), silent.stop()]));
const client = new OpenAI({ apiKey: 'any', baseURL: `${simulator.url}/v1`, maxRetries: 0 });
const speech = (seconds: number) =>
  new File([new Uint8Array(seconds * 32_000)], 'a.wav', { type: 'audio/wav' });
const picture = (name: string) => new File(['png'], name, { type: 'image/png' });

test('the usage of Whisper is in seconds', async () => {
  const prompt = 'say: Hello there.';
  const short: unknown = await client.audio.transcriptions.create({
    file: speech(3),
    model: 'whisper-1',
    prompt,
  });
  expect(short).toEqual({ text: 'Hello there.', usage: { type: 'duration', seconds: 3 } });
});

test('the usage of other transcribers is in tokens', async () => {
  const { usage } = await client.audio.transcriptions.create({ file: speech(3), model: 'gpt-4o-transcribe' });
  expect(usage).toMatchObject({ type: 'tokens', input_token_details: { audio_tokens: 30 } });
});

test('transcribes in each format with the official client', async () => {
  const { transcriptions, translations } = client.audio;
  const file = speech(3);
  const verbose = await transcriptions.create({ file, model: 'whisper-1', response_format: 'verbose_json' });
  expect(verbose).toMatchObject({ duration: 3, segments: [{ end: 3 }] });
  const speakers = await transcriptions.create({
    file,
    model: 'gpt-4o-transcribe-diarize',
    response_format: 'diarized_json',
  });
  expect(speakers).toMatchObject({ segments: [{ speaker: 'A' }] });
  const text: unknown = await transcriptions.create({ file, model: 'whisper-1', response_format: 'text' });
  expect(text).toBe('[simulated] 3 seconds of speech from a.wav.\n');
  const srt: unknown = await transcriptions.create({ file, model: 'whisper-1', response_format: 'srt' });
  expect(srt).toStartWith('1\n00:00:00,000 --> 00:00:03,000\n');
  const vtt: unknown = await translations.create({ file, model: 'whisper-1', response_format: 'vtt' });
  expect(vtt).toStartWith('WEBVTT\n\n00:00:00.000 --> 00:00:03.000\n');
});

test('adds words, log probabilities, languages and speakers if they are asked for', async () => {
  const { transcriptions } = client.audio;
  const prompt = 'say: Hello there. Who is it?';
  const ask = { file: speech(4), prompt };
  const words = await transcriptions.create({
    ...ask,
    model: 'whisper-1',
    response_format: 'verbose_json' as const,
    timestamp_granularities: ['word', 'segment'],
  });
  expect(words.words).toEqual([
    { word: 'Hello', start: 0, end: 1.05 },
    { word: 'there.', start: 1.05, end: 2.32 },
    { word: 'Who', start: 2.32, end: 2.95 },
    { word: 'is', start: 2.95, end: 3.37 },
    { word: 'it?', start: 3.37, end: 4 },
  ]);
  expect(words.segments!.map(({ text, end }) => [text, end])).toEqual([
    [' Hello there.', 2.18],
    [' Who is it?', 4],
  ]);
  const only = await transcriptions.create({
    ...ask,
    model: 'whisper-1',
    response_format: 'verbose_json' as const,
    timestamp_granularities: ['word'],
  });
  expect(only).not.toHaveProperty('segments');
  const sure = await transcriptions.create({ ...ask, model: 'gpt-4o-transcribe', include: ['logprobs'] });
  expect(sure.logprobs!.map(({ token }) => token).join('')).toBe('Hello there. Who is it?');
  const { languages } = await transcriptions.create({ ...ask, model: 'gpt-transcribe' });
  expect(languages).toEqual([{ code: 'en' }]);
  const stream = await transcriptions.create({
    ...ask,
    model: 'gpt-4o-transcribe-diarize',
    response_format: 'diarized_json',
    stream: true as const,
    known_speaker_names: ['Ada', 'Bob'],
  });
  const events = await Array.fromAsync(stream);
  expect(events).toMatchObject([
    { type: 'transcript.text.segment', id: 'seg_0', text: 'Hello there.', speaker: 'Ada', start: 0 },
    { type: 'transcript.text.segment', id: 'seg_1', text: 'Who is it?', speaker: 'Bob', end: 4 },
    { type: 'transcript.text.done', usage: { type: 'tokens' } },
  ]);
  const srt: unknown = await transcriptions.create({ ...ask, model: 'whisper-1', response_format: 'srt' });
  expect(srt).toBe(
    '1\n00:00:00,000 --> 00:00:02,180\nHello there.\n\n2\n00:00:02,180 --> 00:00:04,000\nWho is it?\n\n',
  );
});

test('streams a transcript, except from Whisper', async () => {
  const stream = await client.audio.transcriptions.create({
    file: speech(1),
    model: 'gpt-4o-mini-transcribe',
    prompt: 'say: one two',
    stream: true as const,
  });
  const events = await Array.fromAsync(stream);
  expect(events.map(({ type }) => type)).toEqual([
    'transcript.text.delta',
    'transcript.text.delta',
    'transcript.text.done',
  ]);
  expect(events.at(-1)).toMatchObject({ text: 'one two', usage: { type: 'tokens' } });
});

test('edits images of forms and of JSON, whole and as a stream', async () => {
  const image = [picture('a.png'), picture('b.png')];
  const edited = await client.images.edit({
    image,
    mask: picture('m.png'),
    prompt: 'a hat',
    model: 'gpt-image-1',
    n: 2,
    quality: 'high',
  });
  expect(edited).toMatchObject({
    size: '1024x1024',
    quality: 'high',
    usage: { output_tokens: 8_320, input_tokens_details: { image_tokens: 544 } },
  });
  expect(edited.data).toHaveLength(2);
  const stream = await client.images.edit({
    image: picture('a.png'),
    prompt: 'a hat',
    model: 'gpt-image-1',
    stream: true as const,
    partial_images: 2,
  });
  const types = (await Array.fromAsync(stream)).map(({ type }) => type);
  expect(types).toEqual(['image_edit.partial_image', 'image_edit.partial_image', 'image_edit.completed']);
  const json = await fetch(`${simulator.url}/v1/images/edits`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'm', prompt: 'p', images: [{ image_url: 'data:,' }] }),
  });
  expect(await json.json()).toMatchObject({ data: [{}], usage: { output_tokens: 1_056 } });
});

test('refuses malformed forms and wrong keys as the vendor does', async () => {
  const send = async (url: string, fields: Record<string, string | File>, headers = {}) => {
    const body = new FormData();
    for (const [name, value] of Object.entries(fields)) body.append(name, value);
    const answer = await fetch(`${url}/v1/audio/transcriptions`, { method: 'POST', body, headers });
    const { error } = (await answer.json()) as { error: { param: string | null } };
    return [answer.status, error.param];
  };
  expect(await send(simulator.url, { model: 'm' })).toEqual([400, 'file']);
  expect(await send(simulator.url, { file: speech(1) })).toEqual([400, 'model']);
  expect(await send(simulator.url, { file: speech(1), model: 'm', response_format: 'x' })).toEqual([
    400,
    'response_format',
  ]);
  for (const [name, value] of [
    ['temperature', 'hot'],
    ['stream', 'yes'],
  ] as const)
    expect(await send(simulator.url, { file: speech(1), model: 'm', [name]: value })).toEqual([400, name]);
  for (const [model, response_format] of [
    ['gpt-4o-transcribe', 'verbose_json'],
    ['gpt-4o-transcribe-diarize', 'srt'],
    ['whisper-1', 'diarized_json'],
  ] as const)
    expect(await send(simulator.url, { file: speech(1), model, response_format })).toEqual([
      400,
      'response_format',
    ]);
  expect(await send(silent.url, { file: speech(1), model: 'm' })).toEqual([401, null]);
  expect(await send(simulator.url, { file: speech(1), model: 'm!status=503' })).toEqual([503, null]);
});
