import { afterAll, beforeEach, describe, expect, test } from 'bun:test';
import OpenAI from 'openai';
import { MICROCREDITS_PER_USD } from '../../src/money/ledger/microcredits.ts';
import type { Json } from '../support/call.ts';
import { dataOf } from '../support/messages-body.ts';
import { streamed } from '../support/recording-upstream.ts';
import { completedImage, frame, partialImage } from './image-frames.ts';
import { meteredRows, startMeteredGateway } from './metered-gateway.ts';

const { server, upstream, createPayer, receiptOf, purchasedLeft, stop } = await startMeteredGateway();
afterAll(stop);
beforeEach(() => upstream.forget());

const CREDIT = 10 * MICROCREDITS_PER_USD;
const clientOf = ({ key }: { key: string }) =>
  new OpenAI({ apiKey: key, baseURL: `${server.url}/v1`, maxRetries: 0 });

describe('the official client makes images', () => {
  const request = { model: 'image', prompt: 'a lamp', size: '1024x1024', quality: 'low' } as const;

  test('as a whole answer', async () => {
    upstream.answer('hidden-image', () =>
      Response.json({ created: 1, id: 'hidden', model: 'hidden-image', data: [{ b64_json: 'aGk=' }] }),
    );
    const made = await clientOf(await createPayer(CREDIT)).images.generate(request);
    expect(made).toMatchObject({ data: [{ b64_json: 'aGk=' }], model: 'image' });
    expect(upstream.requests).toMatchObject([
      { path: '/v1/images/generations', body: { model: 'hidden-image' } },
    ]);
  });

  test('as a stream, whose partial images cost nothing', async () => {
    const key = await createPayer(CREDIT);
    const usage = { input_tokens: 3, output_tokens: 5 };
    upstream.answer('hidden-image', () =>
      streamed(partialImage(0) + partialImage(1) + completedImage({ usage })),
    );
    const { data: stream, response } = await clientOf(key)
      .images.generate({ ...request, stream: true, partial_images: 2 })
      .withResponse();
    const types: string[] = [];
    for await (const event of stream) types.push(event.type);
    expect(types).toEqual([
      'image_generation.partial_image',
      'image_generation.partial_image',
      'image_generation.completed',
    ]);
    const receipt = await receiptOf(key, response);
    expect(meteredRows(receipt)).toEqual([{ kind: 'image', count: 1, usd_per_unit: 0.011 }]);
    expect(receipt.tokens).toMatchObject({ uncached_input: 3, output: 5, estimated: false });
    expect(await purchasedLeft(key)).toBe(CREDIT - 0.011 * MICROCREDITS_PER_USD);
    expect(upstream.requests).toMatchObject([
      { path: '/v1/images/generations', body: { model: 'hidden-image' } },
    ]);
  });
});

describe('the official client speaks', () => {
  const request = { model: 'speech', input: 'Hello!', voice: 'alloy', speed: 2 } as const;
  const meteredText = [{ kind: 'character', count: 6, usd_per_unit: 0.000015 }];

  test('in sound', async () => {
    const key = await createPayer(CREDIT);
    upstream.answer(
      'hidden-speech',
      () => new Response('some sound', { headers: { 'content-type': 'audio/mpeg; host=hidden' } }),
    );
    const sound = await clientOf(key).audio.speech.create(request);
    expect(await sound.text()).toBe('some sound');
    expect(sound.headers.get('content-type')).toBe('audio/mpeg');
    expect(upstream.requests).toMatchObject([{ body: { speed: 2 } }]);
    expect(meteredRows(await receiptOf(key, sound))).toEqual(meteredText);
  });

  test('in events', async () => {
    const key = await createPayer(CREDIT);
    const usage = { input_tokens: 2, output_tokens: 7, total_tokens: 9 };
    upstream.answer('hidden-speech', () =>
      streamed(
        frame({ type: 'speech.audio.delta', audio: 'aGk=' }) + frame({ type: 'speech.audio.done', usage }),
      ),
    );
    const events = await clientOf(key).audio.speech.create({ ...request, stream_format: 'sse' });
    expect(dataOf(await events.text()).map(({ type }: Json) => type)).toEqual([
      'speech.audio.delta',
      'speech.audio.done',
    ]);
    expect(upstream.requests).toMatchObject([{ body: { speed: 2 } }]);
    expect(meteredRows(await receiptOf(key, events))).toEqual(meteredText);
  });
});

describe('the official client judges', () => {
  beforeEach(() =>
    upstream.answer('hidden-moderation', ({ body: { model, input } }) =>
      Response.json({
        id: 'modr-hidden',
        model,
        provider: 'hidden',
        results: (Array.isArray(input) ? input : [input]).map(() => ({ flagged: false })),
      }),
    ),
  );
  const parts = [
    { type: 'text' as const, text: 'good' },
    { type: 'image_url' as const, image_url: { url: 'data:image/png;base64,aGk=' } },
  ];

  test.each<{ name: string; input: OpenAI.ModerationCreateParams['input']; results: number }>([
    { name: 'a text', input: 'good', results: 1 },
    { name: 'a list', input: ['good', 'bad'], results: 2 },
    { name: 'parts', input: parts, results: 2 },
  ])('$name', async ({ input, results }) => {
    const client = clientOf(await createPayer(CREDIT));
    const made = await client.moderations.create({ model: 'moderation', input });
    expect(made.model).toBe('moderation');
    expect(made.results).toHaveLength(results);
    expect(made.id).toMatch(/^modr-/);
    expect(made.id).not.toContain('hidden');
  });

  test('with the default model of the protocol if the request names none', async () => {
    const client = clientOf(await createPayer(CREDIT));
    expect((await client.moderations.create({ input: 'good' })).model).toBe('omni-moderation-latest');
    expect(upstream.models()).toEqual(['hidden-moderation']);
  });
});
