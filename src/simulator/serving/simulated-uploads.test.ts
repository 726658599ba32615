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

test('transcribes in each format with the official client, and reports seconds or tokens', async () => {
  const { transcriptions, translations } = client.audio;
  const file = speech(3);
  const short = await transcriptions.create({ file, model: 'whisper-1', prompt: 'say: Hello there.' });
  expect(short).toEqual({ text: 'Hello there.', usage: { type: 'duration', seconds: 3 } } as never);
  const tokens = await transcriptions.create({ file, model: 'gpt-4o-transcribe' });
  expect(tokens.usage).toMatchObject({ type: 'tokens', input_token_details: { audio_tokens: 30 } });
  const verbose = await transcriptions.create({ file, model: 'whisper-1', response_format: 'verbose_json' });
  expect(verbose).toMatchObject({ duration: 3, segments: [{ end: 3 }] });
  const speakers = await transcriptions.create({
    ...{ file, model: 'gpt-4o-transcribe-diarize', response_format: 'diarized_json' },
  });
  expect(speakers).toMatchObject({ segments: [{ speaker: 'A' }] });
  const text: unknown = await transcriptions.create({ file, model: 'whisper-1', response_format: 'text' });
  expect(text).toBe('[simulated] 3 seconds of speech from a.wav.\n');
  const srt: unknown = await transcriptions.create({ file, model: 'whisper-1', response_format: 'srt' });
  expect(srt).toStartWith('1\n00:00:00,000 --> 00:00:03,000\n');
  const vtt: unknown = await translations.create({ file, model: 'whisper-1', response_format: 'vtt' });
  expect(vtt).toStartWith('WEBVTT\n\n00:00:00.000 --> 00:00:03.000\n');
});

test('streams a transcript, except from Whisper', async () => {
  const stream = await client.audio.transcriptions.create({
    ...{ file: speech(1), model: 'gpt-4o-mini-transcribe', prompt: 'say: one two', stream: true as const },
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
    ...{ image, mask: picture('m.png'), prompt: 'a hat', model: 'gpt-image-1', n: 2, quality: 'high' },
  });
  expect(edited).toMatchObject({
    ...{ size: '1024x1024', quality: 'high' },
    usage: { output_tokens: 544, input_tokens_details: { image_tokens: 544 } },
  });
  expect(edited.data).toHaveLength(2);
  const stream = await client.images.edit({
    ...{
      image: picture('a.png'),
      prompt: 'a hat',
      model: 'gpt-image-1',
      stream: true as const,
      partial_images: 2,
    },
  });
  const types = (await Array.fromAsync(stream)).map(({ type }) => type);
  expect(types).toEqual(['image_edit.partial_image', 'image_edit.partial_image', 'image_edit.completed']);
  const json = await fetch(`${simulator.url}/v1/images/edits`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'm', prompt: 'p', images: [{ image_url: 'data:,' }] }),
  });
  expect(await json.json()).toMatchObject({ data: [{}], usage: { output_tokens: 272 } });
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
  expect(
    await send(simulator.url, { file: speech(1), model: 'm', temperature: 'hot', stream: 'yes' }),
  ).toEqual([400, 'stream']);
  expect(await send(silent.url, { file: speech(1), model: 'm' })).toEqual([401, null]);
  expect(await send(simulator.url, { file: speech(1), model: 'm!status=503' })).toEqual([503, null]);
});
