import { afterAll, describe, expect, test } from 'bun:test';
import { type RawAnswer, type RawScript, startRawUpstream, streamHead } from '../support/raw-upstream.ts';
import { answerStatus, answerWell, startRecordingUpstream } from '../support/recording-upstream.ts';
import { sampleModel } from '../support/sample-config.ts';
import { startServer } from '../support/start-server.ts';

const json = (body: string, more = '') =>
  `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n${more}content-length: ${body.length}\r\n\r\n${body}`;
const status = (line: string, more = '', body = '{}') =>
  `HTTP/1.1 ${line}\r\ncontent-type: application/json\r\n${more}content-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`;
const says =
  (text: string | Uint8Array): RawScript =>
  (answer) => {
    answer.send(text);
    void answer.end();
  };

/** Bytes that come one at a time, too slowly to ever be an answer. */
async function trickle({ send, closed }: RawAnswer, text: string): Promise<void> {
  let isOver = false;
  void closed.then(() => {
    isOver = true;
  });
  for (const character of text) {
    if (isOver) return;
    send(character);
    await Bun.sleep(50);
  }
}

const answer = '{"id":"x","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant"';
const roleOnly = 'data: {"choices":[{"index":0,"delta":{"role":"assistant","content":""}}]}\n\n';
const bomb = Bun.gzipSync(new Uint8Array(4 * 1024 * 1024));

/** Faults of an upstream before the first part. A healthy target answers in its place. */
const faults: Record<string, RawScript> = {
  'never answers': () => {},
  'hangs up at once': ({ reset }) => reset(),
  'closes the connection without an answer': ({ end }) => void end(),
  'sends only a head': ({ send }) => send(streamHead),
  'sends half a head and hangs up': ({ send, reset }) => {
    send('HTTP/1.1 200 OK\r\ncontent-ty');
    setTimeout(reset, 5);
  },
  'breaks off in the middle of an answer': ({ send, reset }) => {
    send(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 5000\r\n\r\n${answer}`);
    setTimeout(reset, 5);
  },
  'sends less than its content-length': says(
    `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 5000\r\n\r\n${answer}`,
  ),
  'breaks off after the role': ({ send, reset }) => {
    send(streamHead + roleOnly);
    setTimeout(reset, 5);
  },
  'ends a stream before its first part': says(streamHead + roleOnly),
  'begins with an error': says(`${streamHead}data: {"error":{"message":"hidden","code":500}}\n\n`),
  'sends events that are not JSON': says(`${streamHead}data: {"choices": [{\n\n`),
  'sends a body that is not JSON': says(json('{"choices": [{')),
  'sends an HTML page': says('HTTP/1.1 200 OK\r\ncontent-type: text/html\r\nconnection: close\r\n\r\n<html>'),
  'sends bytes that are not HTTP': says('SSH-2.0-hidden\r\n\r\n'),
  'announces a hundred megabytes': says(
    'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 104857600\r\n\r\n{}',
  ),
  'sends chunks without a valid length': says(
    'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n',
  ),
  'sends a decompression bomb': (raw) => {
    raw.send(
      `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`,
    );
    raw.send(bomb);
    void raw.end();
  },
  'trickles its head': (raw) => trickle(raw, `HTTP/1.1 200 OK\r\nx-slow: ${'x'.repeat(1_000)}`),
  'trickles its body': (raw) => {
    raw.send('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 5000\r\n\r\n');
    return trickle(raw, answer);
  },
  'redirects to cloud metadata': says(
    status('302 Found', 'location: http://169.254.169.254/latest/meta-data\r\n'),
  ),
  'is overloaded': says(status('529 Overloaded')),
  'asks for a pause': says(status('429 Too Many Requests', 'retry-after: 2\r\n')),
  'asks for a pause until a time': says(
    status('503 Unavailable', `retry-after: ${new Date(Date.now() + 60_000).toUTCString()}\r\n`),
  ),
  'asks for a pause of years': says(status('429 Too Many Requests', 'retry-after: 99999999\r\n')),
  'refuses the key': says(status('401 Unauthorized', 'www-authenticate: Bearer\r\n')),
  'forbids the call': says(status('403 Forbidden')),
  'does not know the model': says(status('404 Not Found')),
  'fails internally': says(status('500 Internal Server Error', '', '<html>hidden</html>')),
  'is behind a failing gateway': says(status('502 Bad Gateway')),
  'is behind a gateway that times out': says(status('504 Gateway Timeout')),
};

const sick = startRawUpstream();
const healthy = [startRecordingUpstream(), startRecordingUpstream()] as const;
const third = startRecordingUpstream();
const closed = startRecordingUpstream();
await closed.stop();

/** Only for faulty upstreams. Others may take longer on a busy machine. */
const timeouts = { connect_ms: 300, first_byte_ms: 400, idle_ms: 400, total_ms: 900 };
const provider = (id: string, base_url: string) => ({
  id: `hidden-${id}`,
  wire: 'openai-chat',
  base_url,
});
const names = Object.keys(faults);
const modelOf = (what: string) => `sick-${names.indexOf(what)}`;
/** The sick one first: it gets every request as long as nothing is held against it. */
const routesBehind = (first: object) => [
  { ...first, weight: 2 },
  { provider: 'hidden-one', model: 'hidden-m', weight: 1 },
  { provider: 'hidden-two', model: 'hidden-m', weight: 1 },
];
const server = await startServer({
  config: {
    simulator: { mode: 'off' },
    providers: [
      { ...provider('sick', sick.url), timeouts },
      provider('closed', closed.url),
      provider('no-tls', healthy[0].url.replace('http:', 'https:')),
      provider('one', healthy[0].url),
      provider('two', healthy[1].url),
      provider('third', third.url),
    ],
    catalog: {
      default: false,
      models: [
        ...names.map((what) =>
          sampleModel(modelOf(what), {
            routes: routesBehind({ provider: 'hidden-sick', model: `hidden-${modelOf(what)}` }),
          }),
        ),
        ...['closed', 'no-tls'].map((id) =>
          sampleModel(id, { routes: routesBehind({ provider: `hidden-${id}`, model: 'hidden-m' }) }),
        ),
        ...['half', 'slow', 'dead'].map((id) =>
          sampleModel(`third-${id}`, {
            routes: ['third', 'one', 'two'].map((name) => ({
              provider: `hidden-${name}`,
              model: `hidden-third-${id}`,
            })),
          }),
        ),
      ],
    },
  },
});
afterAll(async () => {
  await server.stop();
  sick.stop();
  await third.stop();
  await Promise.all(healthy.map(({ stop }) => stop()));
});
const { key } = await server.createKey('enterprise');

/** Sends this many requests at once, half of them streams, and returns their results. */
async function ask(model: string, times: number): Promise<string[]> {
  const asking = Array.from({ length: times }, async (_, number) => {
    const stream = number % 2 === 0;
    const { status, text } = await server.chat(key, model, { stream });
    const isWhole = stream
      ? text.endsWith('data: [DONE]\n\n') && text.includes('two')
      : text.includes('one two');
    return status === 200 && isWhole ? 'served' : `${status} ${text}`;
  });
  return Promise.all(asking);
}

const TIMES = 8;
const all = (times: number) => Array.from({ length: times }, () => 'served');

describe('with two other healthy targets, clients do not notice a target that', () => {
  for (const [what, script] of Object.entries(faults)) {
    test(`${what} [RES-30]`, async () => {
      let asked = 0;
      sick.answer(`hidden-${modelOf(what)}`, (raw) => {
        asked++;
        return script(raw);
      });
      expect(await ask(modelOf(what), TIMES)).toEqual(all(TIMES));
      expect(asked).toBeGreaterThan(0);
    });
  }

  test('refuses connections [RES-30]', async () => {
    expect(await ask('closed', TIMES)).toEqual(all(TIMES));
  });

  test('does not speak TLS [RES-30]', async () => {
    expect(await ask('no-tls', TIMES)).toEqual(all(TIMES));
  });
});

describe('one of three equal targets', () => {
  /** It gets its share at first, and in the end nothing but a trial. */
  const waves = async (model: string) => {
    const asked = () => third.models().filter((name) => name === `hidden-${model}`).length;
    for (let wave = 0; wave < 6; wave++) expect(await ask(model, 10)).toEqual(all(10));
    const before = asked();
    expect(before).toBeGreaterThan(1);
    expect(await ask(model, 10)).toEqual(all(10));
    expect(asked() - before).toBeLessThanOrEqual(1);
  };

  test('can be dead, unnoticed by clients', async () => {
    third.answer('hidden-third-dead', answerStatus(500));
    await waves('third-dead');
  });

  test('can fail half of its requests, unnoticed by clients', async () => {
    let count = 0;
    const fail = answerStatus(500);
    third.answer('hidden-third-half', (request) => (count++ % 2 === 0 ? fail : answerWell)(request));
    await waves('third-half');
  });

  test('can be slow without delaying clients further', async () => {
    third.answer('hidden-third-slow', async (request) => {
      await Bun.sleep(150);
      return answerWell(request);
    });
    await waves('third-slow');
  });
});
