import { afterAll, describe, expect, test } from 'bun:test';
import { connect } from 'node:net';
import { bearer, chatBody, type Json } from '../support/call.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { HIDDEN, startRecordingUpstream } from '../support/recording-upstream.ts';
import { sampleConfig } from '../support/sample-config.ts';
import { startServer } from '../support/start-server.ts';
import { waitFor } from '../support/wait-for.ts';

const upstream = startRecordingUpstream();
const config = sampleConfig(upstream.url);
const server = await startServer({ config });
afterAll(async () => {
  await server.stop();
  await upstream.stop();
});
const { key } = await server.createKey('enterprise');
const CHAT = '/v1/chat/completions';

/** Sends bytes on a connection, and returns the answer once the connection is quiet. */
const sendRaw = (text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname, () => socket.write(text));
    let got = '';
    socket.setTimeout(300, () => socket.destroy());
    socket.on('data', (data) => {
      got += data;
    });
    socket.on('close', () => resolve(got));
    socket.on('error', reject);
  });

describe('HEAD', () => {
  test('has the headers of GET and no body', async () => {
    for (const path of ['/v1/models', '/v1/models/test-plain', '/v1/models/nothing', '/healthz']) {
      const get = await server.call(path);
      const head = await server.call(path, { method: 'HEAD' });
      expect({ path, status: head.status, text: head.text }).toEqual({ path, status: get.status, text: '' });
      for (const name of [
        'content-type',
        'cache-control',
        'vary',
        'etag',
        'x-svc-error-code',
        'content-length',
      ])
        expect({ path, name, value: head.headers.get(name) }).toEqual({
          path,
          name,
          value: get.headers.get(name),
        });
    }
  });
});

describe('OPTIONS', () => {
  test('lists the methods of a path', async () => {
    for (const [path, allow] of [
      [CHAT, 'POST, OPTIONS'],
      ['/v1/models', 'GET, HEAD, OPTIONS'],
      ['/v1/models/test-plain', 'GET, HEAD, OPTIONS'],
    ] as const) {
      const { status, text, headers } = await server.call(path, { method: 'OPTIONS' });
      expect({ path, status, text, allow: headers.get('allow') }).toEqual({
        path,
        status: 204,
        text: '',
        allow,
      });
    }
    expectRefusal(await server.call('/v1/nope', { method: 'OPTIONS' }), 404, 'not_found');
  });
});

describe('a web page of another origin', () => {
  const origin = 'https://app.example.org';
  const preflight = (headers = {}) =>
    server.call(CHAT, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization, content-type',
        ...headers,
      },
    });

  test('may call the API as the preflight says', async () => {
    const { status, headers } = await preflight();
    expect(status).toBe(204);
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('access-control-allow-methods')).toContain('POST');
    expect(headers.get('access-control-allow-headers')).toBe('authorization, content-type');
    expect(Number(headers.get('access-control-max-age'))).toBeGreaterThan(0);
  });

  test("may read answers, errors and the gateway's own headers", async () => {
    const body = chatBody('test-plain');
    for (const headers of [{ origin, ...bearer(key) }, { origin }] as Record<string, string>[]) {
      const answer = await server.call(CHAT, { headers, body });
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
      for (const name of [
        'x-svc-request-id',
        'x-svc-error-code',
        'svc-model',
        'retry-after',
        'x-ratelimit-limit-requests',
      ])
        expect(answer.headers.get('access-control-expose-headers')).toContain(name);
    }
    expect(
      (await server.call('/v1/models', { headers: { origin } })).headers.get('access-control-allow-origin'),
    ).toBe('*');
  });

  test('may not call the admin API', async () => {
    const path = '/admin/v1/accounts';
    const asked = { origin, 'access-control-request-method': 'GET' };
    const { headers } = await server.call(path, { method: 'OPTIONS', headers: asked });
    expect(headers.get('access-control-allow-origin')).toBeNull();
    const read = await server.call(path, { headers: { origin, ...bearer(server.adminToken) } });
    expect({
      status: read.status,
      accessControlAllowOrigin: read.headers.get('access-control-allow-origin'),
    }).toEqual({ status: 200, accessControlAllowOrigin: null });
  });

  test('can be limited to listed origins or forbidden', async () => {
    const use = async (origins: string[]) => {
      server.configure({ ...config, server: { cors: { origins } } });
      expect((await server.reload()).status).toBe(200);
    };
    await use([origin]);
    const { headers } = await preflight();
    expect({
      accessControlAllowOrigin: headers.get('access-control-allow-origin'),
      vary: headers.get('vary'),
    }).toEqual({ accessControlAllowOrigin: origin, vary: 'origin' });
    const stranger = await preflight({ origin: 'https://evil.example.org' });
    expect(stranger.headers.get('access-control-allow-origin')).toBeNull();
    const list = await server.call('/v1/models', { headers: { origin } });
    expect(list.headers.get('vary')).toBe(
      'authorization, x-api-key, anthropic-version, x-svc-payment-mode, origin',
    );
    await use([]);
    expect((await preflight()).headers.get('access-control-allow-origin')).toBeNull();
    server.configure(config);
    await server.reload();
  });

  test('is required: without an Origin no such header is sent', async () => {
    const { headers } = await server.call('/v1/models');
    expect(headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe('on the wire', () => {
  const head = 'GET /v1/models/test-plain HTTP/1.1\r\n';

  test('requires one valid Host', async () => {
    for (const host of ['Host: a\r\nHost: b\r\n', 'Host: a/b\r\n', 'Host: a b\r\n'])
      expect(await sendRaw(`${head}${host}\r\n`)).toMatch(/^HTTP\/1\.1 400 /);
    expect(await sendRaw(`${head}Host: a.example:80\r\n\r\n`)).toMatch(/^HTTP\/1\.1 200 /);
  });

  test('the runtime answers invalid HTTP without a body and closes the connection', async () => {
    for (const [status, request] of [
      [400, 'nonsense\r\n\r\n'],
      [400, `${head}\r\n`],
      [400, `${head}Host: a\r\nno colon\r\n\r\n`],
      [
        400,
        'POST /v1/messages HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
      ],
      [431, `${head}Host: a\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`],
      [505, 'GET /v1/models HTTP/2.0\r\nHost: a\r\n\r\n'],
    ] as const) {
      const answer = await sendRaw(request);
      expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
      expect(answer.toLowerCase()).toEndWith('connection: close\r\n\r\n');
    }
  });

  test('answers no TRACE', async () => {
    const answer = await sendRaw(
      'TRACE /v1/models HTTP/1.1\r\nHost: a\r\nx-secret: 1\r\nConnection: close\r\n\r\n',
    );
    expect(answer).toMatch(/^HTTP\/1\.1 40[0-5] /);
    expect(answer).not.toContain('x-secret');
  });

  test('accepts a target in absolute form', async () => {
    const answer = await sendRaw(
      'GET http://a.example/v1/models/test-plain HTTP/1.1\r\nHost: a.example\r\n\r\n',
    );
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(answer).toContain('"id":"test-plain"');
  });

  test('ignores a trailing slash, an unknown query and a fragment', async () => {
    for (const path of ['/v1/models/', '/v1/models?beta=true', '/v1/models/?x', '/v1/models?wire=openai&'])
      expect({ path, status: (await server.call(path)).status }).toEqual({ path, status: 200 });
    expect(
      (await server.call(`${CHAT}?beta=true`, { headers: bearer(key), body: chatBody('test-plain') })).status,
    ).toBe(200);
  });

  test('answers requests on one connection in order', async () => {
    const answers = await sendRaw(
      [1, 2, 3].map((n) => `GET /v1/models/none-${n} HTTP/1.1\r\nHost: a\r\n\r\n`).join(''),
    );
    expect(answers.match(/none-\d/g)).toEqual(['none-1', 'none-2', 'none-3']);
  });
});

describe('operations', () => {
  test('reports that the process and the store work [ADM-16]', async () => {
    const health = await server.call('/healthz');
    const ready = await server.call('/readyz');
    expect(health).toMatchObject({ status: 200, body: { status: 'ok' } });
    expect(ready).toMatchObject({ status: 200, body: { status: 'ready' } });
  });

  test('metrics count requests and tokens in Prometheus text [ADM-17]', async () => {
    const value = async (line: string): Promise<number> => {
      const { text } = await server.call('/metrics');
      const found = text.split('\n').find((each) => each.startsWith(line));
      return found === undefined ? 0 : Number(found.split(' ').at(-1));
    };
    const { headers, text } = await server.call('/metrics');
    expect(headers.get('content-type')).toStartWith('text/plain; version=0.0.4');
    for (const line of text.trim().split('\n'))
      expect(line).toMatch(
        /^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\{([a-z_]+="[^"]*",?)+\})? -?[0-9.e+-]+(Inf)?)$/,
      );
    const requests = `tollgate_requests_total{provider="${HIDDEN}-openai-chat",model="test-plain",route="${CHAT}",status="2xx"}`;
    const tokens = 'tollgate_tokens_total{model="test-plain",direction="output"';
    const before = [await value(requests), await value(tokens)];
    await server.chat(key, 'test-plain');
    await server.chat(key, 'test-plain', { stream: true });
    await waitFor(async () => (await value(tokens)) === before[1]! + 6);
    expect(await value(requests)).toBe(before[0]! + 2);
  });

  test('forbids content sniffing on every answer', async () => {
    for (const path of ['/v1/models', '/v1/nope', '/healthz', '/metrics', '/admin/v1/accounts'])
      expect({
        path,
        contentTypeOptions: (await server.call(path)).headers.get('x-content-type-options'),
      }).toEqual({ path, contentTypeOptions: 'nosniff' });
  });

  test('lets no page frame an answer outside of /v1', async () => {
    for (const path of ['/healthz', '/metrics', '/nope', '/openapi.json', '/docs', '/dashboard/v1/session'])
      expect({
        path,
        contentSecurityPolicy: (await server.call(path)).headers.get('content-security-policy'),
      }).toEqual({ path, contentSecurityPolicy: expect.stringContaining("frame-ancestors 'none'") });
  });

  test('logs one line of JSON for each request, without secrets', async () => {
    const { headers } = await server.chat(key, 'test-plain');
    const id = headers.get('x-svc-request-id')!;
    await waitFor(() => server.log().includes(id));
    const line: Json = JSON.parse(
      server
        .log()
        .split('\n')
        .find((each) => each.includes(id))!,
    );
    expect(line).toMatchObject({
      event: 'request',
      request_id: id,
      method: 'POST',
      route: CHAT,
      status: 200,
      model: 'test-plain',
      served_model: 'test-plain',
      provider: 'hidden-openai-chat',
      input_tokens: 7,
      output_tokens: 3,
      stream: false,
    });
    expect(server.log().includes(key) || server.log().includes('upstream-key')).toBe(false);
  });
});
