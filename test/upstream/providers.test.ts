import { afterAll, beforeEach, describe, expect, test } from 'bun:test';
import packageFile from '../../package.json' with { type: 'json' };
import type { Json } from '../support/call.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { answerStatus, answerWell, startRecordingUpstream, streamed } from '../support/recording-upstream.ts';
import { sampleModel } from '../support/sample-config.ts';
import { startServer } from '../support/start-server.ts';
import { waitFor } from '../support/wait-for.ts';

const first = startRecordingUpstream();
const second = startRecordingUpstream();
/** One provider for each timeout. All others may take longer on a busy machine. */
const impatience = { first_byte_ms: 200, idle_ms: 200, total_ms: 700 };
const wire = 'openai-chat';
const to = (provider: string, weight = 1) => ({ provider, model: `on-${provider}`, weight });

const server = await startServer({
  config: {
    simulator: { mode: 'off' },
    providers: [
      {
        id: 'first',
        wire,
        base_url: `${first.url}/`,
        api_key: '$' + '{UPSTREAM_KEY}',
        headers: { 'x-team': 'blue', 'openai-organization': 'org' },
      },
      { id: 'second', wire, base_url: second.url },
      ...Object.entries(impatience).flatMap(([name, value]) =>
        [first, second].map(({ url }, index) => ({
          id: `${name}-${index}`.replaceAll('_', '-'),
          wire,
          base_url: url,
          timeouts: { [name]: value },
        })),
      ),
    ],
    catalog: {
      default: false,
      models: [
        sampleModel('in-order', { routes: [to('first'), to('second')] }),
        ...Object.keys(impatience).map((name) => {
          const provider = name.replaceAll('_', '-');
          return sampleModel(provider, {
            routes: [0, 1].map((index) => ({ provider: `${provider}-${index}`, model: 'late' })),
          });
        }),
        sampleModel('by-weight', { routes: [to('first', 1), to('second', 3)] }),
      ],
    },
  },
  environment: { UPSTREAM_KEY: 'key-of-the-upstream' },
});
afterAll(async () => {
  await server.stop();
  await Promise.all([first.stop(), second.stop()]);
});
beforeEach(() => {
  for (const [upstream, model] of [
    [first, 'on-first'],
    [second, 'on-second'],
  ] as const) {
    upstream.forget();
    upstream.answer(model, answerWell);
  }
});

const { key } = await server.createKey('enterprise');
const asked = () => [first.requests.length, second.requests.length];

describe('an upstream call', () => {
  test("carries the provider's key and headers [ADM-40]", async () => {
    expect((await server.chat(key, 'in-order')).status).toBe(200);
    const [{ headers, path }] = first.requests as [(typeof first.requests)[0]];
    expect(path).toBe('/v1/chat/completions');
    expect(headers.get('authorization')).toBe('Bearer key-of-the-upstream');
    expect({ team: headers.get('x-team'), openaiOrganization: headers.get('openai-organization') }).toEqual({
      team: 'blue',
      openaiOrganization: 'org',
    });
    expect(headers.get('content-type')).toBe('application/json');
  });

  test('has no key if the provider has none', async () => {
    await server.chat(key, 'by-weight');
    expect(second.requests[0]?.headers.get('authorization')).toBeNull();
  });

  test("has nothing of the client's request but the body", async () => {
    await server.call('/v1/chat/completions', {
      headers: {
        authorization: `Bearer ${key}`,
        'x-private': 'mine',
        cookie: 'a=b',
        'user-agent': 'client/1',
        origin: 'http://a',
      },
      body: { model: 'in-order', messages: [{ role: 'user', content: 'hello' }], extra: { kept: true } },
    });
    const [{ headers, body }] = first.requests as [(typeof first.requests)[0]];
    for (const name of ['x-private', 'cookie', 'origin', 'x-forwarded-for', 'x-api-key'])
      expect({ name, result: headers.get(name) }).toEqual({ name, result: null });
    expect(headers.get('user-agent')).toBe(`tollgate/${packageFile.version}`);
    expect(JSON.stringify([...headers])).not.toContain(key);
    expect(body).toEqual({
      model: 'on-first',
      messages: [{ role: 'user', content: 'hello' }],
      extra: { kept: true },
    });
  });
});

describe("a model's targets", () => {
  test('are tried in order if they have the same weight [ADM-38]', async () => {
    await server.chat(key, 'in-order');
    expect(asked()).toEqual([1, 0]);
    first.answer('on-first', answerStatus(500));
    await server.chat(key, 'in-order');
    expect(asked()).toEqual([2, 1]);
  });

  test('are tried by weight first [ADM-38]', async () => {
    await server.chat(key, 'by-weight');
    expect(asked()).toEqual([0, 1]);
    second.answer('on-second', answerStatus(500));
    await server.chat(key, 'by-weight');
    expect(asked()).toEqual([1, 2]);
  });
});

describe('a provider', () => {
  test('receives no requests while it is drained [ADM-36]', async () => {
    await server.admin('POST', '/providers/first/drain');
    await server.chat(key, 'in-order');
    expect(asked()).toEqual([0, 1]);
    expect((await server.admin('GET', '/providers/first')).body.health).toBe('drained');
    await server.admin('POST', '/providers/first/undrain');
    await server.chat(key, 'in-order');
    expect(asked()).toEqual([1, 1]);
  });

  test('that fails, or is drained like all others, causes 503 and not 404 [RES-27]', async () => {
    first.answer('on-first', answerStatus(500));
    second.answer('on-second', answerStatus(500));
    expectRefusal(await server.chat(key, 'in-order'), 503, 'upstream_unavailable');
    for (const id of ['first', 'second']) await server.admin('POST', `/providers/${id}/drain`);
    expectRefusal(await server.chat(key, 'in-order'), 503, 'capacity_unavailable');
    for (const id of ['first', 'second']) await server.admin('POST', `/providers/${id}/undrain`);
  });

  test('shows its requests, errors and latency [ADM-35]', async () => {
    const view = async (): Promise<Json> => (await server.admin('GET', '/providers/first')).body;
    const before = await view();
    first.answer('on-first', answerStatus(500));
    for (let count = 0; count < 3; count++) await server.chat(key, 'in-order');
    first.answer('on-first', answerWell);
    for (let count = 0; count < 2; count++) await server.chat(key, 'in-order');
    const after = await view();
    expect(after.requests_total - before.requests_total).toBe(5);
    expect(after.errors_total - before.errors_total).toBe(3);
    expect(after.slots_in_use).toBe(0);
    expect(after.queue_length).toBe(0);
    expect(after.latency_ms.p50).toBeGreaterThan(0);
    expect(after.error_rate).toBeWithin(0.01, 1);
  });

  test('shows its slots in use [ADM-35]', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    first.answer('on-first', async (request) => {
      await promise;
      return answerWell(request);
    });
    const waiting = [server.chat(key, 'in-order'), server.chat(key, 'in-order')];
    await waitFor(() => first.requests.length === 2);
    expect((await server.admin('GET', '/providers/first')).body.slots_in_use).toBe(2);
    resolve();
    await Promise.all(waiting);
    expect((await server.admin('GET', '/providers/first')).body.slots_in_use).toBe(0);
  });

  test('returns 404 if it is unknown', async () => {
    for (const path of ['/providers/nobody', '/providers/toString'])
      expectRefusal(await server.admin('GET', path), 404, 'not_found');
    expectRefusal(await server.admin('POST', '/providers/nobody/drain'), 404, 'not_found');
  });
});

describe("a provider's timeouts", () => {
  const frame = (content: string) => `data: {"choices":[{"index":0,"delta":{"content":"${content}"}}]}\n\n`;
  /** A stream of a part every so often. */
  const dripping = (intervalMs: number, parts: number) => () =>
    streamed(
      new ReadableStream({
        async start(controller) {
          for (let part = 0; part < parts; part++) {
            controller.enqueue(new TextEncoder().encode(frame(String(part))));
            await Bun.sleep(intervalMs);
          }
        },
      }),
    );
  const timed = async (model: string, { stream }: { stream: boolean }) => {
    const startedAt = performance.now();
    const answer = await server.chat(key, model, { stream });
    return { ...answer, tookMs: performance.now() - startedAt };
  };
  const both = (how: Parameters<typeof first.answer>[1]) => {
    for (const upstream of [first, second]) upstream.answer('late', how);
  };

  test('first_byte_ms bounds the wait for the first byte, at each target [ADM-39]', async () => {
    both(() => new Promise(() => {}));
    for (const stream of [false, true]) {
      const { tookMs, ...answer } = await timed('first-byte-ms', { stream });
      expectRefusal(answer, 504, 'upstream_timeout');
      expect(tookMs).toBeGreaterThan(395);
    }
  });

  test('idle_ms bounds the wait between two parts of a stream [ADM-39]', async () => {
    both(dripping(100_000, 2));
    const { status, text, tookMs } = await timed('idle-ms', { stream: true });
    expect(status).toBe(200);
    expect(text).toContain('"upstream_timeout"');
    expect(text).not.toContain('[DONE]');
    expect(tookMs).toBeGreaterThan(195);
  });

  test('total_ms bounds a whole stream [ADM-39]', async () => {
    both(dripping(50, 100));
    const { status, text, tookMs } = await timed('total-ms', { stream: true });
    expect(status).toBe(200);
    expect(text).toContain('"upstream_timeout"');
    expect(text).not.toContain('[DONE]');
    expect(tookMs).toBeGreaterThan(695);
  });
});
