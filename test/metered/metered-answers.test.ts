import { afterAll, describe, expect, test } from 'bun:test';
import { MICROCREDITS_PER_USD } from '../../src/money/ledger/microcredits.ts';
import { bearer, type Json } from '../support/call.ts';
import { expectNoTrace } from '../support/expect-no-trace.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { dataOf } from '../support/messages-body.ts';
import { answerStatus, streamed, type UpstreamAnswer } from '../support/recording-upstream.ts';
import { waitFor } from '../support/wait-for.ts';
import { completedImage, frame, partialImage } from './image-frames.ts';
import { meteredRows, startMeteredGateway } from './metered-gateway.ts';

const gateway = await startMeteredGateway({ limits: { usage_grace_s: 1 } });
const { server, upstream, createPayer, call, receiptOf, purchasedLeft } = gateway;
afterAll(gateway.stop);

const CREDIT = 10 * MICROCREDITS_PER_USD;
const GENERATIONS = '/v1/images/generations';
const SPEECH = '/v1/audio/speech';

const picture: UpstreamAnswer = () => Response.json({ created: 1, data: [{ b64_json: 'aGk=' }] });
const mp3 = { headers: { 'content-type': 'audio/mpeg' } };

type Ending = { text?: string; isBroken?: true };

/** Sends a text, waits for the order to go on, and sends the rest. */
function answerInTwo(text: string, type: string, { text: rest = '', isBroken }: Ending = {}) {
  const { promise, resolve: goOn } = Promise.withResolvers<void>();
  const answer: UpstreamAnswer = () =>
    new Response(
      new ReadableStream({
        async start(controller) {
          controller.enqueue(new TextEncoder().encode(text));
          await promise;
          if (rest !== '') controller.enqueue(new TextEncoder().encode(rest));
          if (isBroken) controller.error(new Error('the host has failed'));
          else controller.close();
        },
      }),
      { headers: { 'content-type': type } },
    );
  return { answer, goOn };
}

const ask = ({ key }: { key: string }, path: string, body: Json, signal?: AbortSignal): Promise<Response> =>
  fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { ...bearer(key), 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  });

/**
 * Reads the answer, and lets the upstream go on when the beginning has arrived.
 * Returns null if the connection broke.
 */
async function readInTwo(answer: Response, goOn: () => void): Promise<string | null> {
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const piece of answer.body!) {
      text += decoder.decode(piece);
      goOn();
    }
    return text;
  } catch {
    return null;
  }
}

describe('a failure', () => {
  const failures: [
    name: string,
    path: string,
    body: Json,
    failing: UpstreamAnswer,
    healthy: UpstreamAnswer,
  ][] = [
    ['a status', GENERATIONS, { model: 'image-two-routes', prompt: 'p' }, answerStatus(500), picture],
    [
      'an answer without images',
      GENERATIONS,
      { model: 'image-two-routes', prompt: 'p' },
      () => Response.json({ created: 1, data: [] }),
      picture,
    ],
    [
      'an answer with a reason in place of an image',
      GENERATIONS,
      { model: 'image-two-routes', prompt: 'p' },
      () => Response.json({ created: 1, data: [{ b64_json: null, error: 'hidden' }, { url: '' }, {}] }),
      picture,
    ],
    [
      'a stream with an empty image',
      GENERATIONS,
      { model: 'image-two-routes', prompt: 'p', stream: true },
      () => streamed(`data: ${JSON.stringify({ type: 'image_generation.completed', b64_json: '' })}\n\n`),
      () => streamed(completedImage()),
    ],
    [
      'a stream without an image',
      GENERATIONS,
      { model: 'image-two-routes', prompt: 'p', stream: true },
      () => streamed(''),
      () => streamed(completedImage()),
    ],
    [
      'sound of another type',
      SPEECH,
      { model: 'speech-two-routes', input: 'Hello!' },
      () => Response.json({ hidden: true }),
      () => new Response('some sound', mp3),
    ],
    [
      'no sound',
      SPEECH,
      { model: 'speech-two-routes', input: 'Hello!' },
      () => new Response('', mp3),
      () => new Response('some sound', mp3),
    ],
  ];
  for (const [name, path, body, failing, healthy] of failures)
    test(`of one route is answered by another: ${name}`, async () => {
      const key = await createPayer(CREDIT);
      upstream.answer('hidden-failing', failing);
      upstream.answer('hidden-healthy', healthy);
      upstream.forget();
      const answer = await call(key, path, body);
      expect({ status: answer.status, models: upstream.models() }).toEqual({
        status: 200,
        models: ['hidden-failing', 'hidden-healthy'],
      });
      expectNoTrace(answer, [upstream.port]);
      expect((await receiptOf(key, answer)).microcredits).toBeGreaterThan(0);
    });

  test('of every route costs nothing in an envelope without a host', async () => {
    const key = await createPayer(CREDIT);
    for (const model of ['hidden-failing', 'hidden-healthy']) upstream.answer(model, answerStatus(500));
    upstream.answer('hidden-rerank', () => Response.json({ results: [] }));
    for (const [path, body] of [
      ['/v1/rerank', { model: 'rerank', query: 'q', documents: ['a'] }],
      [GENERATIONS, { model: 'image-two-routes', prompt: 'p' }],
      [SPEECH, { model: 'speech-two-routes', input: 'Hello!' }],
    ] as const) {
      const answer = await call(key, path, body);
      expectRefusal(answer, 503, 'upstream_unavailable');
      expectNoTrace(answer, [upstream.port]);
    }
    expect(await purchasedLeft(key)).toBe(CREDIT);
  });

  test('in the middle of an answer costs nothing: images end with an error event, and sound breaks off', async () => {
    const key = await createPayer(CREDIT);
    const errors: [Json, string][] = [
      [{ message: 'hidden', code: 'server_error' }, 'upstream_unavailable'],
      [{ message: 'hidden', code: 'moderation_blocked' }, 'content_filter'],
    ];
    for (const [error, code] of errors) {
      const { answer, goOn } = answerInTwo(partialImage(0), 'text/event-stream', {
        text: frame({ type: 'error', error }),
      });
      upstream.answer('hidden-image', answer);
      const images = await ask(key, GENERATIONS, { model: 'image', prompt: 'p', stream: true });
      const text = await readInTwo(images, goOn);
      expect(dataOf(text!).at(-1)).toMatchObject({ error: { code } });
      expect(text).not.toContain('hidden');
    }
    const { answer, goOn } = answerInTwo('some sound', 'audio/mpeg', { text: 'and', isBroken: true });
    upstream.answer('hidden-speech', answer);
    const sound = await ask(key, SPEECH, { model: 'speech', input: 'Hello!' });
    expect({ status: sound.status, inTwo: await readInTwo(sound, goOn) }).toEqual({
      status: 200,
      inTwo: null,
    });
    expect(await purchasedLeft(key)).toBe(CREDIT);
    const audit = await server.admin('GET', '/ledger/verify');
    expect(audit.body.faults).toEqual([]);
  });
});

test('bills each image of many megabytes that it passes on', async () => {
  const key = await createPayer(CREDIT);
  const b64_json = 'A'.repeat(3 * 1024 * 1024);
  upstream.answer('hidden-image', () => Response.json({ created: 1, data: [{ b64_json }, { b64_json }] }));
  const body = { model: 'image', prompt: 'p', n: 2, size: '1024x1024', quality: 'low' };
  const answer = await call(key, GENERATIONS, body);
  expect(answer.status).toBe(200);
  expect(answer.body.data.map((one: Json) => one.b64_json.length)).toEqual([
    b64_json.length,
    b64_json.length,
  ]);
  expect(meteredRows(await receiptOf(key, answer))).toEqual([
    { kind: 'image', count: 2, usd_per_unit: 0.011 },
  ]);
});

test('bills the seconds of speech that arrives as events', async () => {
  const key = await createPayer(CREDIT);
  const audio = Buffer.alloc(48_000 * 2).toString('base64');
  upstream.answer('hidden-speech-by-seconds', () =>
    streamed(
      frame({ type: 'speech.audio.delta', audio }) +
        frame({ type: 'speech.audio.delta', audio }) +
        frame({ type: 'speech.audio.done', usage: { input_tokens: 1, output_tokens: 1 } }),
    ),
  );
  const request = {
    model: 'speech-by-seconds',
    input: 'Hello!',
    response_format: 'pcm',
    stream_format: 'sse',
  };
  const answer = await call(key, SPEECH, request);
  expect(meteredRows(await receiptOf(key, answer))).toEqual([
    { kind: 'second', count: 4, usd_per_unit: 0.00025 },
    { kind: 'character', count: 6, usd_per_unit: 0 },
  ]);
});

test('a client that leaves pays for what it asked for', async () => {
  const key = await createPayer(CREDIT);
  const { answer, goOn } = answerInTwo('some sound', 'audio/mpeg');
  upstream.answer('hidden-speech', answer);
  const abort = new AbortController();
  const sound = await ask(key, SPEECH, { model: 'speech', input: 'Hello!' }, abort.signal);
  await sound.body!.getReader().read();
  abort.abort();
  await waitFor(async () => (await purchasedLeft(key)) < CREDIT);
  goOn();
  const receipt = await receiptOf(key, sound);
  expect(receipt.outcome).toBe('left');
  expect(meteredRows(receipt)).toEqual([{ kind: 'character', count: 6, usd_per_unit: 0.000015 }]);
});

test('every model is refused on endpoints that it does not name [ADM-41]', async () => {
  const key = await createPayer(CREDIT);
  const { body } = await server.call('/v1/models', { headers: bearer(key.key) });
  const endpoints = Object.fromEntries(body.data.map(({ id, svc }: Json) => [id, svc.endpoints]));
  expect(endpoints).toMatchObject({
    chat: ['/v1/chat/completions', '/v1/messages', '/v1/responses', '/v1/completions'],
    image: [GENERATIONS, '/v1/images/edits'],
    speech: [SPEECH],
    rerank: ['/v1/rerank'],
    moderation: ['/v1/moderations'],
  });
  const image = body.data.find(({ id }: Json) => id === 'image');
  expect(image).toMatchObject({
    context_window: 0,
    max_output: null,
    native_wires: ['openai-images'],
    svc: {
      metered_usd: {
        per_image: [{ size: '1024x1024', quality: 'high', usd: 0.167 }, expect.anything(), { usd: 0.25 }],
      },
    },
  });
  const bodies: [path: string, body: Json][] = [
    ['/v1/chat/completions', { messages: [{ role: 'user', content: 'hi' }] }],
    ['/v1/embeddings', { input: 'hi' }],
    [GENERATIONS, { prompt: 'hi' }],
    [SPEECH, { input: 'hi' }],
    ['/v1/rerank', { query: 'hi', documents: ['hi'] }],
    ['/v1/moderations', { input: 'hi' }],
  ];
  for (const [path, fields] of bodies)
    for (const model of ['chat', 'image', 'speech', 'rerank', 'moderation']) {
      if (endpoints[model].includes(path)) continue;
      const answer = await call(key, path, { model, ...fields });
      expectRefusal(answer, 422, 'route_not_qualified', 'model');
      expect(answer.body.error.message).toContain(endpoints[model][0]);
    }
});

test('drops what other servers take for the number of images, since only n is held', async () => {
  const key = await createPayer(CREDIT);
  upstream.answer('hidden-image', picture);
  upstream.forget();
  const body = { model: 'image', prompt: 'p', num_images: 4, Samples: 4, batch_size: 4, seed: 7 };
  expect((await call(key, GENERATIONS, body)).status).toBe(200);
  expect(upstream.requests.map((one) => one.body)).toEqual([{ model: 'hidden-image', prompt: 'p', seed: 7 }]);
});

test('names the first invalid field without calling a host', async () => {
  const key = await createPayer(CREDIT);
  upstream.forget();
  const invalid: [path: string, body: Json, param: string][] = [
    [GENERATIONS, { model: 'image' }, 'prompt'],
    [GENERATIONS, { model: 'image', prompt: 'p', n: 11 }, 'n'],
    [GENERATIONS, { model: 'image', prompt: 'p', partial_images: 4 }, 'partial_images'],
    [GENERATIONS, { model: 'image', prompt: 'p', size: '512x512', width: 2_048, height: 2_048 }, 'size'],
    [GENERATIONS, { model: 'image', prompt: 'p', size: '512x512', width: 2_048 }, 'size'],
    [SPEECH, { model: 'speech' }, 'input'],
    [SPEECH, { model: 'speech', input: 'i', speed: 9 }, 'speed'],
    ['/v1/rerank', { model: 'rerank', query: 'q', documents: [] }, 'documents'],
    ['/v1/rerank', { model: 'rerank', documents: ['a'] }, 'query'],
    ['/v1/moderations', { model: 'moderation' }, 'input'],
  ];
  for (const [path, body, param] of invalid)
    expectRefusal(await call(key, path, body), 400, 'invalid_request', param);
  expect(upstream.requests).toEqual([]);
});
