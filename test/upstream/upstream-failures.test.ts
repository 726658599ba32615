import { afterAll, beforeEach, describe, expect, test } from 'bun:test';
import { expectNoTrace } from '../support/expect-no-trace.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { brokenAnswers, brokenStreams, failingStatuses } from '../support/failing-answers.ts';
import {
  answerStatus,
  answerWell,
  startRecordingUpstream,
  type UpstreamAnswer,
} from '../support/recording-upstream.ts';
import { sampleModel } from '../support/sample-config.ts';
import { startServer } from '../support/start-server.ts';
import { waitFor } from '../support/wait-for.ts';

const first = startRecordingUpstream();
const second = startRecordingUpstream();
const closed = startRecordingUpstream();
await closed.stop();

const provider = (id: string, base_url: string) => ({ id, wire: 'openai-chat', base_url });
const to = (name: string, end = '') => ({ provider: `hidden-${name}`, model: `hidden-on-${name}${end}` });
/** A first target for each test, because a target that fails repeatedly is paused. */
const pairs = Array.from({ length: 130 }, (_, number) => number);
let pair = 0;

const server = await startServer({
  config: {
    simulator: { mode: 'off' },
    providers: [
      provider('hidden-first', first.url),
      // Waited for less long than an answer may take on a busy machine: it gives none.
      { ...provider('hidden-silent', first.url), timeouts: { first_byte_ms: 150 } },
      provider('hidden-second', second.url),
      provider('hidden-closed', closed.url),
    ],
    catalog: {
      default: false,
      models: [
        sampleModel('one', { delivery: 'exact', routes: [to('first')] }),
        ...pairs.map((number) =>
          sampleModel(`two-${number}`, {
            delivery: 'exact',
            routes: [to('first', `-${number}`), to('second')],
          }),
        ),
        sampleModel('silent', { delivery: 'exact', routes: [to('silent')] }),
        sampleModel('silent-first', { delivery: 'exact', routes: [to('silent'), to('second')] }),
        sampleModel('closed', { delivery: 'exact', routes: [to('closed')] }),
        sampleModel('closed-first', { delivery: 'exact', routes: [to('closed'), to('second')] }),
      ],
    },
  },
});
afterAll(async () => {
  await server.stop();
  await Promise.all([first.stop(), second.stop()]);
});

const { key } = await server.createKey('enterprise');
const ports = [first.port, second.port, closed.port];
beforeEach(() => {
  first.forget();
  second.forget();
  pair++;
});

/** Asks while the first upstream answers in that way. */
async function ask(model: string, answer: UpstreamAnswer, fields?: Record<string, unknown>) {
  const isPair = model === 'two';
  first.answer(isPair ? `hidden-on-first-${pair}` : 'hidden-on-first', answer);
  const got = await server.chat(key, isPair ? `two-${pair}` : model, fields);
  expectNoTrace(got, ports);
  return got;
}

first.answer('hidden-on-silent', () => new Promise(() => {}));

describe('the second target answers if the first', () => {
  const failures = { ...failingStatuses, ...brokenAnswers };

  for (const [what, answer] of Object.entries(failures)) {
    test(`${what} [RES-30]`, async () => {
      const { status, body } = await ask('two', answer);
      expect({ status, content: body.choices[0].message.content }).toEqual({
        status: 200,
        content: 'one two',
      });
      expect(first.models()).toEqual([`hidden-on-first-${pair}`]);
      expect(second.models()).toEqual(['hidden-on-second']);
    });
  }

  for (const [what, answer] of Object.entries({ ...failures, ...brokenStreams })) {
    test(`${what}, streamed`, async () => {
      const { status, text } = await ask('two', answer, { stream: true });
      expect(status).toBe(200);
      expect(text.match(/"content":"[^"]+"/g)).toEqual(['"content":"one "', '"content":"two"']);
      expect(text).toEndWith('data: [DONE]\n\n');
      expect(first.models()).toEqual([`hidden-on-first-${pair}`]);
      expect(second.models()).toEqual(['hidden-on-second']);
    });
  }

  test.each([false, true])('does not answer in time (stream: %p) [RES-30]', async (stream) => {
    const { status, text } = await server.chat(key, 'silent-first', { stream });
    expect(status).toBe(200);
    expect(text).toContain('two');
    expect(first.models()).toEqual(['hidden-on-silent']);
    expect(second.models()).toEqual(['hidden-on-second']);
  });

  test('refuses the connection [RES-30]', async () => {
    expect((await server.chat(key, 'closed-first')).status).toBe(200);
    expect(second.models()).toEqual(['hidden-on-second']);
  });

  for (const status of [400, 413, 422]) {
    test(`status ${status} is final, since the second target would refuse it too [RES-31]`, async () => {
      expect((await ask('two', answerStatus(status))).status).toBe(status === 400 ? 400 : 422);
      expect({ first: first.requests.length, second: second.requests.length }).toEqual({
        first: 1,
        second: 0,
      });
    });
  }

  test('tries every target once and reports the last failure', async () => {
    second.answer('hidden-on-second', answerStatus(429));
    expectRefusal(await ask('two', answerStatus(500)), 503, 'upstream_overloaded');
    expect({ first: first.requests.length, second: second.requests.length }).toEqual({ first: 1, second: 1 });
    second.answer('hidden-on-second', answerStatus(500));
    expectRefusal(await ask('two', answerStatus(429)), 503, 'upstream_unavailable');
  });
});

describe('a target that lacks what the request asks for', () => {
  const lacking = [answerStatus(501), answerStatus(404, { message: 'Invalid URL (POST /v1/chat)' })];

  test.each(lacking)('causes 422 after all targets were tried [ERR-57]', async (answer) => {
    second.answer('hidden-on-second', answer);
    const refused = await ask('two', answer);
    expectRefusal(refused, 422, 'route_not_qualified');
    expect({
      retryAfter: refused.headers.get('retry-after'),
      shouldRetry: refused.headers.get('x-should-retry'),
    }).toEqual({ retryAfter: null, shouldRetry: 'false' });
    expect({ first: first.requests.length, second: second.requests.length }).toEqual({ first: 1, second: 1 });
    expectRefusal(await ask('one', answer, { stream: true }), 422, 'route_not_qualified');
  });

  test('does not hide that another target failed for the moment only', async () => {
    for (const [one, other] of [
      [500, 501],
      [501, 500],
    ] as const) {
      second.answer('hidden-on-second', answerStatus(other));
      expectRefusal(await ask('two', answerStatus(one)), 503, 'upstream_unavailable');
    }
  });

  test('stays in use, since it serves other requests', async () => {
    for (let i = 0; i < 12; i++) await ask('one', answerStatus(501));
    expect((await ask('one', answerWell)).status).toBe(200);
  });
});

describe('the only target', () => {
  for (const stream of [false, true]) {
    const way = stream ? 'a stream' : 'an answer';

    for (const status of [401, 402, 403, 404, 405, 500, 502, 599]) {
      test(`that refuses ${way} with ${status} is unavailable [ERR-31]`, async () => {
        expectRefusal(await ask('one', answerStatus(status), { stream }), 503, 'upstream_unavailable');
      });
    }

    for (const status of [429, 503, 529]) {
      test(`that refuses ${way} with ${status} is overloaded [ERR-30]`, async () => {
        const answer = await ask('one', answerStatus(status, { 'retry-after': '7' }), { stream });
        expectRefusal(answer, 503, 'upstream_overloaded');
        expect({
          retryAfter: answer.headers.get('retry-after'),
          retryAfterMs: answer.headers.get('retry-after-ms'),
        }).toEqual({ retryAfter: '7', retryAfterMs: '7000' });
      });
    }

    for (const status of [408, 504]) {
      test(`that refuses ${way} with ${status} did not answer in time [ERR-34]`, async () => {
        expectRefusal(await ask('one', answerStatus(status), { stream }), 504, 'upstream_timeout');
      });
    }

    test(`that never begins ${way} did not answer in time [ERR-34]`, async () => {
      expectRefusal(await server.chat(key, 'silent', { stream }), 504, 'upstream_timeout');
    });

    for (const status of [413, 422]) {
      test(`that refuses ${way} with ${status} cannot serve it [ERR-25]`, async () => {
        expectRefusal(await ask('one', answerStatus(status), { stream }), 422, 'request_unprocessable');
      });
    }
  }

  for (const [what, answer] of Object.entries(brokenAnswers)) {
    test(`that sends ${what} is unavailable [ERR-31]`, async () => {
      expectRefusal(await ask('one', answer), 503, 'upstream_unavailable');
    });
  }

  for (const [what, answer] of Object.entries(brokenStreams)) {
    test(`that sends ${what} is unavailable, with a status [ERR-31]`, async () => {
      expectRefusal(await ask('one', answer, { stream: true }), 503, 'upstream_unavailable');
    });
  }

  test('that cannot be reached is unavailable [ERR-31]', async () => {
    const answer = await server.chat(key, 'closed');
    expectNoTrace(answer, ports);
    expectRefusal(answer, 503, 'upstream_unavailable');
  });

  for (const [status, reported, code] of [
    [429, 503, 'upstream_overloaded'],
    [500, 503, 'upstream_unavailable'],
    [400, 400, 'invalid_request'],
  ] as const)
    test(`that sends ${status} without an end has failed by its status`, async () => {
      const body = new ReadableStream({
        start: (controller) => controller.enqueue(Buffer.from('{"error":')),
      });
      const headers = { 'content-type': 'application/json', 'retry-after': '7' };
      const got = await ask('one', () => new Response(body, { status, headers }));
      expectRefusal(got, reported, code);
      if (status === 429) expect(got.headers.get('retry-after')).toBe('7');
    });

  test('can request a wait as a date, as a fraction, or not at all', async () => {
    for (const [retryAfter, least, most] of [
      ['0.25', 1, 1],
      ['2.2', 3, 3],
      // The upstream states its own time in whole seconds.
      [new Date(Date.now() + 20_000).toUTCString(), 18, 21],
      ['soon', 1, 1],
      ['-5', 1, 1],
      ['99999999', 3_600, 3_600],
    ] as const) {
      const { headers } = await ask('one', answerStatus(503, { 'retry-after': retryAfter }));
      expect(Number(headers.get('retry-after'))).toBeWithin(least, most + 1);
    }
  });
});

describe("an upstream's 400", () => {
  for (const message of [
    "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens",
    'The prompt is too long',
    'Please reduce the length of the messages: too many tokens',
  ]) {
    test(`that says '${message.slice(0, 30)}…' is about the length`, async () => {
      expectRefusal(await ask('one', answerStatus(400, { message })), 400, 'context_length_exceeded');
    });
  }

  test('about safety is a blocked prompt [ERR-17]', async () => {
    const message = "The response was filtered due to Azure OpenAI's content management policy.";
    expectRefusal(await ask('one', answerStatus(400, { message })), 400, 'content_filter');
  });

  test('about anything else is a bad request', async () => {
    expectRefusal(await ask('one', answerStatus(400, { message: 'bad tools' })), 400, 'invalid_request');
  });
});

test("the log names the failed provider and the reason, without the upstream's text", async () => {
  const failuresOf = (got: { headers: Headers }) => {
    const id = got.headers.get('x-svc-request-id')!;
    const line = server
      .log()
      .split('\n')
      .find((one) => one.includes(id) && one.includes('"event":"request"'));
    return line === undefined ? undefined : JSON.parse(line).failures;
  };
  const logged = async (got: { headers: Headers }) => {
    await waitFor(() => failuresOf(got) !== undefined);
    return failuresOf(got);
  };
  second.answer('hidden-on-second', answerStatus(429));
  expect(await logged(await ask('two', answerStatus(500, { message: 'sk-secret' })))).toEqual([
    'hidden-first: status 500',
    'hidden-second: status 429',
  ]);
  const unreadable = () => new Response('{"hidden', { headers: { 'content-type': 'application/json' } });
  expect(await logged(await ask('one', unreadable))).toEqual(['hidden-first: unreadable answer']);
  expect(await logged(await server.chat(key, 'silent'))).toEqual(['hidden-silent: timeout: first-byte']);
  const [closedOne] = await logged(await server.chat(key, 'closed'));
  expect(closedOne).toStartWith('hidden-closed: ECONNREFUSED');
});

test('no error reveals the provider, its address, its model or its text [ERR-49]', async () => {
  const all = { ...failingStatuses, ...brokenAnswers, ...brokenStreams, 'a bad request': answerStatus(400) };
  for (const stream of [false, true]) {
    for (const answer of Object.values(all)) {
      const { status, text } = await ask('one', answer, { stream }); // looks for traces
      expect(status).toBeGreaterThanOrEqual(400);
      expect(text.length).toBeGreaterThan(0);
    }
  }
});
