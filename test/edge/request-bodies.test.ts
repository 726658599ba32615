import { afterAll, beforeEach, describe, expect, test } from 'bun:test';
import { request } from 'node:http';
import {
  brotliCompressSync,
  constants,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib';
import { seededRandom } from '../../src/base/lib/testing/seeded-random.ts';
import { bearerEndpoints } from '../support/bearer-endpoints.ts';
import { type Answer, bearer, chatBody, type Json } from '../support/call.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { fullTest } from '../support/full-test.ts';
import { isLong } from '../support/is-long.ts';
import { openRawClient } from '../support/raw-client.ts';
import { startRecordingUpstream } from '../support/recording-upstream.ts';
import { sampleConfig } from '../support/sample-config.ts';
import { startServer } from '../support/start-server.ts';
import { waitFor } from '../support/wait-for.ts';

const upstream = startRecordingUpstream();
const server = await startServer({ config: sampleConfig(upstream.url) });
afterAll(async () => {
  await server.stop();
  await upstream.stop();
});
beforeEach(upstream.forget);

const { key } = await server.createKey('pro');
const CHAT = '/v1/chat/completions';
const LIMIT = 10_485_760;

type Bytes = Uint8Array<ArrayBuffer>;
const bytes = (text: string): Bytes => new TextEncoder().encode(text) as Bytes;
const send = (body: unknown, headers: Record<string, string> = {}, path = CHAT): Promise<Answer> =>
  server.call(path, { headers: { ...bearer(key), ...headers }, body });

/** Makes a valid request of exactly that many bytes. */
function sized(size: number, model = 'test-plain'): string {
  const empty = JSON.stringify({ ...chatBody(model), user: '' });
  return JSON.stringify({ ...chatBody(model), user: 'x'.repeat(size - empty.length) });
}

/** Makes a valid request of that size whose text compresses like a prompt. */
function wordy(size: number): string {
  const random = seededRandom(1);
  const words = () => Array.from({ length: 200 }, () => Math.floor(random() * 1e9).toString(36)).join(' ');
  const user = Array.from({ length: size / 1_000 }, words).join(' ');
  const text = sized(size);
  const start = text.indexOf('xxx');
  return text.slice(0, start) + user.slice(0, size - start - 2) + text.slice(size - 2);
}

/** Sends a body without a content-length. */
const sendChunked = (path: string, text: string): Promise<Json> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(server.url);
    const options = {
      hostname,
      port,
      path,
      method: 'POST',
      headers: { ...bearer(key), 'transfer-encoding': 'chunked' },
    };
    const sent = request(options, async (answer) => {
      resolve({
        status: answer.statusCode,
        body: JSON.parse(Buffer.concat(await answer.toArray()).toString()),
      });
    });
    sent.on('error', reject);
    for (let at = 0; at < text.length; at += 65_536) sent.write(text.slice(at, at + 65_536));
    sent.end();
  });

describe('a body', () => {
  test('of 10 MB is accepted [LIF-01]', async () => {
    const body = sized(LIMIT);
    expect(body.length).toBe(LIMIT);
    expect((await send(body)).status).toBe(200);
    expect((await sendChunked(CHAT, body)).status).toBe(200);
    expect(upstream.requests.map(({ body: got }) => got.user.length > LIMIT - 200)).toEqual([true, true]);
  });

  test('of one byte more is refused even without a content-length [ERR-23]', async () => {
    for (const { path } of bearerEndpoints) {
      expectRefusal(await send(sized(LIMIT + 1), {}, path), 413, 'body_too_large');
      if (!isLong && path !== CHAT) continue;
      const { status, body } = await sendChunked(path, sized(LIMIT + 1));
      expect({ status, code: body.error.code }).toEqual({ status: 413, code: 'body_too_large' });
    }
    expect(upstream.requests).toEqual([]);
  });

  test('has the same limit at every endpoint with a body [LIF-02]', async () => {
    const { paths } = (await server.call('/openapi.json')).body;
    const taking = Object.keys(paths).filter(
      (path) => path.startsWith('/v1/') && paths[path].post?.requestBody,
    );
    expect(taking).toContain('/v1/messages');
    expect(taking.length).toBeGreaterThan(6);
    for (const path of taking) {
      const { status, body } = await send(sized(LIMIT + 1), { 'x-api-key': key }, path.replace('{id}', 'x'));
      expect({ path, status, code: body.error.code }).toEqual({ path, status: 413, code: 'body_too_large' });
    }
    expect(upstream.requests).toEqual([]);
  });

  test('that arrives slowly is accepted', async () => {
    const text = sized(270_000);
    const client = openRawClient(server.url);
    client.send(`POST ${CHAT} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${key}\r\n`);
    client.send(`content-length: ${text.length}\r\n\r\n`);
    const step = isLong ? 3_000 : 9_000;
    for (let at = 0; at < text.length; at += step) {
      client.send(text.slice(at, at + step));
      await Bun.sleep(100);
    }
    await waitFor(() => client.received() !== '');
    expect(client.received()).toStartWith('HTTP/1.1 200 ');
    client.leave();
  });

  test('is read as JSON regardless of its content-type [ERR-45]', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', 'nonsense'])
      expect((await send(chatBody('test-plain'), { 'content-type': type })).status).toBe(200);
    expect((await sendChunked(CHAT, JSON.stringify(chatBody('test-plain')))).status).toBe(200);
  });

  test('that is not JSON is refused [ERR-12]', async () => {
    const good = JSON.stringify(chatBody('test-plain'));
    const broken = [
      good.slice(0, -1),
      `${good}}`,
      `${good} x`,
      "{'model': 'a'}",
      '{"model": }',
      '{a: 1}',
      '{"a":1,}',
    ];
    for (const { path } of bearerEndpoints)
      for (const text of [...broken, 'NaN', '\u0000', '{"a": 01}', '{"a": "\n"}'])
        expectRefusal(await send(text, {}, path), 400, 'invalid_json');
  });

  test('that is empty is refused as invalid JSON [ERR-41]', async () => {
    expectRefusal(await send(''), 400, 'invalid_json');
    expectRefusal(await send('   \n'), 400, 'invalid_json');
    expectRefusal(await server.call(CHAT, { method: 'POST', headers: bearer(key) }), 400, 'invalid_json');
    expect((await sendChunked(CHAT, '')).body.error.code).toBe('invalid_json');
  });

  test('that is JSON but not an object is refused [ERR-41]', async () => {
    for (const text of ['[]', '"x"', 'null', '1', 'true', '[{}]'])
      expectRefusal(await send(text), 400, 'invalid_request');
  });

  test('that is not UTF-8 is refused [ERR-39]', async () => {
    const before = bytes('{"model":"test-plain","messages":[{"role":"user","content":"');
    const after = bytes('"}]}');
    for (const wrong of [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xc0, 0xaf], [0xf5, 0x80, 0x80, 0x80]])
      expectRefusal(await send(new Uint8Array([...before, ...wrong, ...after])), 400, 'invalid_json');
  });

  test('with half a surrogate pair is refused [ERR-39]', async () => {
    const body = (content: string) =>
      `{"model":"test-plain","messages":[{"role":"user","content":"${content}"}]}`;
    for (const half of ['\\ud800', '\\uDFFF', 'a\\ud83dz', '\\ude00\\ud83d', '\\ud800\\ud800\\udc00'])
      expectRefusal(await send(body(half)), 400, 'invalid_json');
    for (const whole of ['\\ud83d\\ude00', '😀', '\\\\ud800', '\\uD83D\\uDE00\\u0041'])
      expect({ whole, status: (await send(body(whole))).status }).toEqual({ whole, status: 200 });
    expect(upstream.requests[0]?.body.messages[0].content).toBe('😀');
  });

  test('can be nested 200 levels deep and no deeper [ERR-40]', async () => {
    const nested = (depth: number) => {
      const inner = depth - 1;
      return `{"model":"test-plain","messages":[{"role":"user","content":"hi"}],"extra":${'['.repeat(inner)}${']'.repeat(inner)}}`;
    };
    expect((await send(nested(200))).status).toBe(200);
    expectRefusal(await send(nested(201)), 400, 'invalid_json');
    expectRefusal(await send(nested(1_000_000)), 400, 'invalid_json');
    expect(
      (await send(`{"model":"test-plain","messages":[{"role":"user","content":"${'['.repeat(500)}"}]}`))
        .status,
    ).toBe(200);
  });
});

const codings: Record<string, (raw: Bytes) => Uint8Array> = {
  gzip: gzipSync,
  br: (raw) => brotliCompressSync(raw, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
  deflate: deflateSync,
  zstd: zstdCompressSync,
};
const coded = (coding: string, raw: Bytes): Bytes => new Uint8Array(codings[coding]!(raw));

describe('a compressed body', () => {
  for (const coding of Object.keys(codings)) {
    const header = { 'content-encoding': coding };

    test(`in ${coding} is decoded [ERR-42]`, async () => {
      expect((await send(coded(coding, bytes(JSON.stringify(chatBody('test-plain')))), header)).status).toBe(
        200,
      );
      expect(
        upstream.requests.map(({ body, headers }) => [
          body.messages[0].content,
          headers.get('content-encoding'),
        ]),
      ).toEqual([['hello', null]]);
    });

    (coding === 'gzip' ? test : fullTest)(
      `in ${coding} can decode to 10 MB and no more [ERR-43]`,
      async () => {
        expect((await send(coded(coding, bytes(wordy(LIMIT))), header)).status).toBe(200);
        expectRefusal(await send(coded(coding, bytes(wordy(LIMIT + 1))), header), 413, 'body_too_large');
      },
    );

    test(`that is not valid ${coding} is refused`, async () => {
      expectRefusal(await send(chatBody('test-plain'), header), 400, 'invalid_request');
      const cut = await send(coded(coding, bytes(sized(5_000))).slice(0, -9), header);
      // The zstd decoder returns the part that it decoded, which is not valid JSON.
      expectRefusal(cut, 400, coding === 'zstd' ? 'invalid_json' : 'invalid_request');
    });
  }

  test('in deflate can be raw', async () => {
    const body = new Uint8Array(deflateRawSync(JSON.stringify(chatBody('test-plain'))));
    expect((await send(body, { 'content-encoding': 'deflate' })).status).toBe(200);
  });

  test('that is a decompression bomb is refused early, in bounded memory [ERR-43]', async () => {
    const memory = async (): Promise<number> =>
      Number(/^process_resident_memory_bytes (\S+)/m.exec((await server.call('/metrics')).text)?.[1]);
    // Gzip allows several members in one file: together they decode to hundreds of megabytes.
    const member = gzipSync(Buffer.alloc(LIMIT));
    const bomb = new Uint8Array(Buffer.concat(Array.from({ length: isLong ? 200 : 50 }, () => member)));
    const before = await memory();
    expectRefusal(await send(bomb, { 'content-encoding': 'gzip' }), 413, 'body_too_large');
    expect((await memory()) - before).toBeLessThan(100 * 1024 * 1024);
  });

  test('in a coding other than identity is refused [ERR-44]', async () => {
    for (const coding of ['compress', 'gzip, gzip', 'lzma', 'snappy', 'toString'])
      expectRefusal(
        await send(chatBody('test-plain'), { 'content-encoding': coding }),
        400,
        'invalid_request',
      );
    expect((await send(chatBody('test-plain'), { 'content-encoding': 'identity' })).status).toBe(200);
  });

  test('can name its coding in capitals', async () => {
    const body = coded('gzip', bytes(JSON.stringify(chatBody('test-plain'))));
    expect((await send(body, { 'content-encoding': 'GZIP' })).status).toBe(200);
    expect((await send(chatBody('test-plain'), { 'content-encoding': 'Identity' })).status).toBe(200);
  });
});

describe('a bad parameter', () => {
  const message = (fields: object) => ({ messages: [{ role: 'user', content: 'hi', ...fields }] });

  for (const [param, fields] of Object.entries({
    model: { model: 7 },
    messages: { messages: 'hello' },
    max_tokens: { max_tokens: 1.5 },
    max_completion_tokens: { max_completion_tokens: 0 },
    temperature: { temperature: 'warm' },
    top_p: { top_p: 2 },
    frequency_penalty: { frequency_penalty: -3 },
    presence_penalty: { presence_penalty: '0' },
    n: { n: 0 },
    seed: { seed: 'x' },
    stream: { stream: 'yes' },
    stream_options: { stream_options: true },
    tools: { tools: {} },
    tool_choice: { tool_choice: 3 },
    parallel_tool_calls: { parallel_tool_calls: 'no' },
    response_format: { response_format: 'json' },
    logprobs: { logprobs: 3 },
    top_logprobs: { top_logprobs: 21 },
    reasoning_effort: { reasoning_effort: 1 },
    user: { user: {} },
  })) {
    test(`is named: ${param} [ERR-13]`, async () => {
      expectRefusal(await send({ ...chatBody('test-plain'), ...fields }), 400, 'invalid_request', param);
    });
  }

  test('is named when it is missing [ERR-13]', async () => {
    const { model, ...withoutModel } = chatBody('test-plain');
    const { messages, ...withoutMessages } = chatBody('test-plain');
    expect({ model, messages }).toEqual({ model: expect.any(String), messages: [expect.anything()] });
    expectRefusal(await send(withoutModel), 400, 'invalid_request', 'model');
    expectRefusal(await send(withoutMessages), 400, 'invalid_request', 'messages');
  });

  for (const [param, fields] of Object.entries({
    'messages[0]': { messages: ['hello'] },
    'messages[0].role': message({ role: 'boss' }),
    'messages[0].content': message({ content: 7 }),
    'messages[0].content[1].type': message({ content: [{ type: 'text', text: 'a' }, { type: 7 }] }),
    'messages[0].content[0].text': message({ content: [{ type: 'text', text: 7 }] }),
    'messages[0].tool_calls[0].function.name': message({
      role: 'assistant',
      tool_calls: [{ id: 'a', function: { arguments: '' } }],
    }),
    'tools[1].function.name': {
      tools: [
        { type: 'function', function: { name: 'a' } },
        { type: 'function', function: { name: '' } },
      ],
    },
    'stream_options.include_usage': { stream_options: { include_usage: 'yes' } },
    'response_format.type': { response_format: { type: null } },
    'tool_choice.type': { tool_choice: { type: 5 } },
  })) {
    test(`is named by its whole path: ${param} [ERR-14]`, async () => {
      expectRefusal(await send({ ...chatBody('test-plain'), ...fields }), 400, 'invalid_request', param);
    });
  }

  test('is reported if it is the first in the body [ERR-15]', async () => {
    const faults = { temperature: 9, n: 'many', user: 7, messages: [{ role: 'boss', content: 7 }] };
    const names = Object.keys(faults) as (keyof typeof faults)[];
    for (const first of names) {
      for (const second of names.filter((name) => name !== first)) {
        const body = {
          model: 'test-plain',
          [first]: faults[first],
          [second]: faults[second],
          ...(first !== 'messages' && second !== 'messages' && message({})),
        };
        const param = first === 'messages' ? 'messages[0].role' : first;
        expectRefusal(await send(body), 400, 'invalid_request', param);
      }
    }
    const wrong = [{ content: 7 }, { refusal: 7 }] as const;
    for (const [one, other] of [wrong, wrong.toReversed()]) {
      const messages = [{ ...one, role: 'assistant', ...other }];
      const param = `messages[0].${Object.keys(one!)[0]}`;
      expectRefusal(await send({ messages, model: 'test-plain' }), 400, 'invalid_request', param);
    }
  });
});

test.each([
  500, 300_000,
])('a client that disconnects in the middle of a body of %i bytes causes no server error', async (length) => {
  const headers = { ...bearer(key), 'content-type': 'application/json', 'content-length': length };
  const before = server.log().length;
  const leaving = request(server.url + CHAT, { method: 'POST', headers });
  leaving.on('error', () => {});
  leaving.write('{"model":');
  await Bun.sleep(100);
  leaving.destroy();
  const logged = () => server.log().slice(before);
  await waitFor(() => logged().includes('"event":"request"'));
  expect(logged()).toContain('"status":400');
  expect(logged()).not.toContain('unexpected-failure');
});
