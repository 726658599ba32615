import { afterAll, describe, expect, test } from 'bun:test';
import { serveSimulator } from '../../src/simulator/serving/serve-simulator.ts';
import { bearer, type Json } from '../support/call.ts';
import { expectNoTrace } from '../support/expect-no-trace.ts';
import { dataOf } from '../support/messages-body.ts';
import { type RawAnswer, startRawUpstream, streamHead } from '../support/raw-upstream.ts';
import { startServer } from '../support/start-server.ts';
import { ableModel } from '../support/wire-models.ts';

const SAID = 'grüße 👋 one two three';
const messages = [{ role: 'user', content: `say: ${SAID}` }];

/** Each dialect on its own wire: its request, its text, and the mark of a complete stream. */
const dialects = [
  {
    wire: 'openai-chat',
    path: '/chat/completions',
    fields: { messages, stream_options: { include_usage: true } },
    said: ({ choices }: Json) => choices?.[0]?.delta?.content,
    grown: (event: Json, text: string) => ({
      ...event,
      choices: [{ ...event.choices[0], delta: { content: text } }],
    }),
    good: 'data: [DONE]\n\n',
    error: { error: { type: 'server_error' } },
  },
  {
    wire: 'anthropic-messages',
    path: '/messages',
    fields: { messages, max_tokens: 1_000 },
    said: ({ delta }: Json) => delta?.text,
    grown: (event: Json, text: string) => ({ ...event, delta: { ...event.delta, text } }),
    good: '"type":"message_stop"',
    error: { type: 'error', error: { type: 'api_error' } },
  },
  {
    wire: 'openai-responses',
    path: '/responses',
    fields: { input: `say: ${SAID}` },
    said: ({ type, delta }: Json) => (type === 'response.output_text.delta' ? delta : undefined),
    grown: (event: Json, text: string) => ({ ...event, delta: text }),
    good: '"type":"response.completed"',
    error: { type: 'response.failed' },
  },
] as const;

const upstream = startRawUpstream();
const server = await startServer({
  config: {
    simulator: { mode: 'off' },
    providers: dialects.flatMap(({ wire }) => {
      const host = { id: `hidden-${wire}`, wire, base_url: upstream.url };
      // Only for silent upstreams. Others may take longer on a busy machine.
      return [host, { ...host, id: `hidden-silent-${wire}`, timeouts: { first_byte_ms: 200, idle_ms: 200 } }];
    }),
    catalog: {
      default: false,
      models: dialects.flatMap(({ wire }) =>
        [`${wire}`, `silent-${wire}`].map((name) =>
          ableModel(`on-${name}`, [{ provider: `hidden-${name}`, model: `hidden-${wire}` }]),
        ),
      ),
    },
  },
});
afterAll(async () => {
  await server.stop();
  upstream.stop();
});
const { key } = await server.createKey('enterprise');

/** Returns the frames that a good upstream sends. */
async function framesOf({ wire, path, fields }: (typeof dialects)[number]): Promise<string[]> {
  const simulator = serveSimulator();
  const body = JSON.stringify({ model: `hidden-${wire}`, stream: true, ...fields });
  const answer = await fetch(`${simulator.url}/v1${path}`, { method: 'POST', body });
  const text = await answer.text();
  await simulator.stop();
  return text.split(/(?<=\n\n)/);
}

/** The upstream's behavior. `begun` resolves when the client has the head. */
type Script = (raw: RawAnswer, begun: Promise<void>) => void | Promise<void>;

const bytesOf = (frames: readonly string[]): Uint8Array => new TextEncoder().encode(frames.join(''));

describe.each(dialects)('$wire', (dialect) => {
  const { wire, path, fields, said, good, error } = dialect;
  let frames: string[] = [];
  const middle = () => frames.findIndex((frame) => dataOf(frame).some((event) => said(event))) + 1;

  async function ask(script: Script, name: string = wire) {
    if (frames.length === 0) frames = await framesOf(dialect);
    const { promise, resolve } = Promise.withResolvers<void>();
    upstream.answer(`hidden-${wire}`, (raw) => script(raw, promise));
    const body = { model: `on-${name}`, stream: true, ...fields };
    const answer = await server.call(`/v1${path}`, { headers: bearer(key), body, begun: resolve });
    expectNoTrace(answer, [upstream.port]);
    return answer;
  }
  /** Sends a beginning, and the fault when the client has that. */
  const breaking =
    (fault: (raw: RawAnswer) => void): Script =>
    async (raw, begun) => {
      raw.send(streamHead + frames.slice(0, middle()).join(''));
      await begun;
      fault(raw);
    };
  const sendingLast = (piece: string | Uint8Array) =>
    breaking(({ send, end }) => {
      send(piece);
      void end();
    });
  /** Sends the frames and closes normally. */
  const sending =
    (make: (frames: string[]) => Iterable<string | Uint8Array>): Script =>
    async ({ send, pause, end }) => {
      send(streamHead);
      for (const piece of make(frames)) {
        send(piece);
        await pause();
      }
      await end();
    };
  const expectWhole = (
    { status, text }: { status: number; text: string },
    expected = `[simulated] ${SAID}`,
  ) => {
    expect(status).toBe(200);
    expect(text).toContain(good);
    const spoken = dataOf(text).map((event) => said(event) ?? '');
    expect(spoken.join('')).toBe(expected);
  };
  const expectBroken = (
    { status, text }: { status: number; text: string },
    code = 'upstream_unavailable',
  ) => {
    expect(status).toBe(200);
    expect(text).not.toContain(good);
    expect(dataOf(text).at(-1)).toMatchObject(error);
    expect(text).toContain(`"code":"${code}"`);
  };

  test('passes a stream in one piece', async () => expectWhole(await ask(sending((all) => [bytesOf(all)]))));

  test('passes a stream that is cut within characters and line ends', async () => {
    const whole = await ask(sending((all) => [bytesOf(all)]));
    const script = (size: number) =>
      sending((all) => {
        const bytes = bytesOf(all);
        const count = Math.ceil(bytes.length / size);
        return Array.from({ length: count }, (_, at) => bytes.subarray(at * size, (at + 1) * size));
      });
    const withoutIds = (text: string) => text.replaceAll(/(chatcmpl-|msg_|resp_)\w+/g, '');
    for (const size of [13, 101])
      expect(withoutIds((await ask(script(size))).text)).toBe(withoutIds(whole.text));
  });

  test.each(['\r\n', '\r', 'mixed'])('accepts lines that end in %j', async (lineBreak) => {
    // The line ends have an order in which no CR stands before an LF by chance.
    const ends = ['\r\n', '\n', '\r'];
    let at = 0;
    const other = () => (lineBreak === 'mixed' ? ends[at++ % ends.length]! : lineBreak);
    expectWhole(await ask(sending((all) => [all.join('').replaceAll('\n', other)])));
  });

  test('ignores comment lines of the upstream', async () =>
    expectWhole(await ask(sending((all) => all.map((frame) => `: hidden ping\n\n:\n${frame}`)))));

  test('passes a line of 2 MB', async () => {
    const long = 'x'.repeat(2_000_000);
    const grow = (frame: string) => {
      const [event] = dataOf(frame);
      return event && said(event)
        ? `${frame.split('data: ')[0]}data: ${JSON.stringify(dialect.grown(event, long))}\n\n`
        : frame;
    };
    const script = sending((all) => {
      const first = all.findIndex((frame) => grow(frame) !== frame);
      return [bytesOf(all.map((frame, at) => (at === first ? grow(frame) : frame)))];
    });
    const { text } = await ask(script);
    expect(text).toContain(long);
    expect(text).toContain(good);
  });

  test('ends with an error after an event that is not JSON [STR-18]', async () => {
    await ask(sending((all) => all)); // the frames are there from now on
    expectBroken(await ask(sendingLast(`data: {"hidden": [\n\n${frames.slice(middle()).join('')}`)));
  });

  test('ends with an error after bytes that are not text [STR-18]', async () =>
    expectBroken(await ask(sendingLast(new Uint8Array([0xff, 10, 10])))));

  test('ends with an error after a broken connection [STR-12]', async () =>
    expectBroken(await ask(breaking(({ reset }) => reset()))));

  test('ends with an error after silence, and ends the upstream call [STR-17]', async () => {
    const gone = Promise.withResolvers<void>();
    const answer = await ask(({ send, closed }) => {
      send(streamHead + frames.slice(0, middle()).join(''));
      void closed.then(gone.resolve);
    }, `silent-${wire}`);
    expectBroken(answer, 'upstream_timeout');
    await gone.promise;
  });

  test('ignores what follows its end', async () => {
    const answer = await ask(
      sending((all) => [all.join('') + all.slice(0, middle()).join(''), 'data: {"hidden": [\n\n']),
    );
    expectWhole(answer);
    expect(answer.text).not.toContain('hidden": [');
  });

  test.each([
    ['only a head', streamHead],
    ['an empty answer', 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'],
    ['nothing at all', ''],
    ['bytes that are not HTTP', 'hidden\r\n\r\n'],
    ['a compressed stream', streamHead.replace('\r\n\r\n', '\r\ncontent-encoding: gzip\r\n\r\n\x1f')],
    ['a page', `${streamHead.replace('event-stream', 'html')}<html>hidden`],
  ])('%s is an error with its own status [STR-20]', async (_, sent) => {
    const { status, body } = await ask(async ({ send, pause, end }) => {
      if (sent !== '') send(sent);
      await pause();
      await end();
    });
    expect({ status, code: body.error.code }).toEqual({ status: 503, code: 'upstream_unavailable' });
  });

  test.each([
    ['never answers', ''],
    ['never begins', streamHead],
    ['only comments', `${streamHead}: hidden\n\n`],
  ])('an upstream that takes the call and %s is an error with its own status [STR-20]', async (_, sent) => {
    const { status, body } = await ask(
      ({ send }) => (sent === '' ? undefined : send(sent)),
      `silent-${wire}`,
    );
    expect({ status, code: body.error.code }).toEqual({ status: 504, code: 'upstream_timeout' });
  });
});
