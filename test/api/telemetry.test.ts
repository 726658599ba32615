import { afterAll, describe, expect, test } from 'bun:test';
import { version } from '../../src/base/build/version.ts';
import { batchClient, chatFlavor } from '../support/batch-client.ts';
import { bearer, call, chatBody } from '../support/call.ts';
import { attributesIn } from '../support/otlp-messages.ts';
import { answerSlowly, HIDDEN, startRecordingUpstream } from '../support/recording-upstream.ts';
import { sampleConfig, sampleModel, sampleModels } from '../support/sample-config.ts';
import { type ReceivedSpan, startOtlpReceiver } from '../support/start-otlp-receiver.ts';
import { startServer } from '../support/start-server.ts';
import { waitFor } from '../support/wait-for.ts';

const upstream = startRecordingUpstream();
const receiver = startOtlpReceiver();
const sample = sampleConfig(upstream.url);
const PROVIDER = `${HIDDEN}-openai-chat`;
const config = {
  ...sample,
  providers: [
    ...sample.providers,
    {
      id: 'narrow',
      wire: 'openai-chat',
      base_url: upstream.url,
      max_concurrent: 1,
      forward_headers: ['traceparent'],
    },
  ],
  catalog: {
    ...sample.catalog,
    models: [
      ...sampleModels,
      sampleModel('test-narrow', { routes: [{ provider: 'narrow', model: 'narrow-upstream' }] }),
      sampleModel('test-fallback', {
        routes: [
          { provider: 'narrow', model: 'failing-upstream', weight: 1 },
          { provider: PROVIDER, model: 'sound-upstream', weight: 0 },
        ],
      }),
    ],
  },
  telemetry: { otlp: { endpoint: `${receiver.url}/base`, headers: { 'x-receiver-key': 'a key' } } },
};
const server = await startServer({
  config,
  environment: {
    OTEL_SERVICE_NAME: 'gateway-under-test',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test%20bed',
    OTEL_BSP_SCHEDULE_DELAY: '50',
    OTEL_METRIC_EXPORT_INTERVAL: '200',
  },
});
afterAll(async () => {
  await server.stop();
  await upstream.stop();
  await receiver.stop();
});
const { key } = await server.createKey('enterprise');

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';
const CHAT = '/v1/chat/completions';

type Sent = { path?: string; headers?: Record<string, string>; body?: object };

const send = ({ path = CHAT, headers = {}, body = chatBody('test-plain') }: Sent) =>
  call(server.url + path, { headers: { ...bearer(key), ...headers }, body });
const idOf = ({ headers }: { headers: Headers }): string => headers.get('x-svc-request-id')!;

/** Sends a request and waits for its spans. */
async function traced(sent: Sent) {
  upstream.forget();
  const answer = await send(sent);
  await waitFor(() => receiver.traceOf(idOf(answer)).length > 0);
  const spans = receiver.traceOf(idOf(answer));
  const named = (name: string) => spans.filter((span) => span['name'].startsWith(name));
  const own = spans.find(({ attributes }) => attributes['tollgate.request.id'] === idOf(answer))!;
  return {
    answer,
    spans,
    own,
    attempts: named('chat '),
    settlement: named('settlement')[0],
    queue: named('queue'),
  };
}

const isWithin = (inner: ReceivedSpan, outer: ReceivedSpan): boolean =>
  inner['start'] >= outer['start'] && inner['end'] <= outer['end'] && inner['start'] <= inner['end'];

describe('the trace of a request', () => {
  test('has a span for the request, the attempt and the settlement, with the GenAI attributes and the commit [ADM-52]', async () => {
    const before = Date.now() - 1_000;
    const { answer, own, attempts, settlement, queue, spans } = await traced({});
    expect(answer.status).toBe(200);
    expect(spans).toHaveLength(3);
    expect(attempts).toHaveLength(1);
    expect(queue).toHaveLength(0);
    expect(own).toMatchObject({
      name: `POST ${CHAT}`,
      kind: 2,
      resource: { 'service.name': 'gateway-under-test', 'service.version': version },
    });
    expect(own['status']).toBeUndefined();
    expect(own.resource['deployment.environment.name']).toBe('test bed');
    expect(own.attributes).toMatchObject({
      'http.request.method': 'POST',
      'http.route': CHAT,
      'http.response.status_code': 200,
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': PROVIDER,
      'gen_ai.request.model': 'test-plain',
      'gen_ai.response.model': 'test-plain',
      'gen_ai.response.id': answer.body.id,
      'gen_ai.usage.input_tokens': 7,
      'gen_ai.usage.output_tokens': 3,
      'gen_ai.request.stream': 0,
      'gen_ai.response.finish_reasons': ['stop'],
    });
    expect(own.attributes['tollgate.cost.microcredits']).toBeGreaterThan(0);
    const [attempt] = attempts;
    expect(attempt).toMatchObject({
      name: `chat ${HIDDEN}-test-plain`,
      kind: 3,
      parentSpanId: own['spanId'],
    });
    expect(attempt!.attributes).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': `${HIDDEN}-test-plain`,
      'server.address': '127.0.0.1',
      'server.port': upstream.port,
      'http.response.status_code': 200,
    });
    expect(attempt!.attributes['gen_ai.usage.input_tokens']).toBeUndefined();
    expect(settlement).toMatchObject({ kind: 1, parentSpanId: own['spanId'] });
    expect(spans.filter((span) => !isWithin(span, own))).toEqual([]);
    expect(Number(own['start'] / 1_000_000n)).toBeGreaterThan(before);
  });

  test("of a Gemini client has the conventions' operation for Google's methods", async () => {
    const body = { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] };
    for (const base of ['/v1beta', '/v1']) {
      const path = `${base}/models/test-plain:generateContent`;
      const { own, spans } = await traced({ path, body, headers: { 'x-goog-api-key': key } });
      expect(own.attributes).toMatchObject({
        'http.route': `${base}/models/{id*}:generateContent`,
        'gen_ai.operation.name': 'generate_content',
      });
      expect(spans.map(({ name }) => name)).toContain(`generate_content ${HIDDEN}-test-plain`);
    }
  });

  test('continues the trace of the caller towards the upstream', async () => {
    const headers = { traceparent: `00-${TRACE}-${PARENT}-01`, tracestate: 'a=1,b=2' };
    const { own, attempts } = await traced({ headers });
    expect(own).toMatchObject({ traceId: TRACE, parentSpanId: PARENT, traceState: 'a=1,b=2' });
    const { headers: sent } = upstream.requests[0]!;
    expect(sent.get('traceparent')).toBe(`00-${TRACE}-${attempts[0]!['spanId']}-01`);
    expect(sent.get('tracestate')).toBe('a=1,b=2');
  });

  test("replaces the caller's traceparent even where the operator forwards it", async () => {
    const headers = { traceparent: `00-${TRACE.replace('4', '6')}-${PARENT}-01` };
    const { attempts } = await traced({ headers, body: chatBody('test-narrow') });
    const { headers: sent } = upstream.requests[0]!;
    const [attempt] = attempts;
    expect(sent.get('traceparent')).toBe(`00-${attempt!['traceId']}-${attempt!['spanId']}-01`);
  });

  test('is not recorded if the caller does not sample it, and the upstream learns this', async () => {
    upstream.forget();
    const other = TRACE.replace('4', '5');
    const answer = await send({ headers: { traceparent: `00-${other}-${PARENT}-00` } });
    expect(upstream.requests[0]!.headers.get('traceparent')).toMatch(
      new RegExp(`^00-${other}-[0-9a-f]{16}-00$`),
    );
    await traced({});
    expect(receiver.traceOf(idOf(answer))).toEqual([]);
    await waitFor(() => server.log().includes(other));
    expect(server.log()).toMatch(new RegExp(`"request_id":"${idOf(answer)}","trace_id":"${other}"`));
  });

  test('of a stream has the time to its first part', async () => {
    const { own, attempts } = await traced({ body: chatBody('test-plain', { stream: true }) });
    expect(own.attributes['gen_ai.response.time_to_first_chunk']).toBeGreaterThan(0);
    expect(own.attributes).toMatchObject({
      'tollgate.request.stream': 1,
      'gen_ai.request.stream': 1,
      'gen_ai.response.finish_reasons': ['stop'],
    });
    expect(attempts[0]!.attributes['tollgate.attempt.time_to_first_part']).toBeGreaterThan(0);
  });

  test('has a span for each attempt with its failure', async () => {
    upstream.answer('failing-upstream', () => new Response('secret words', { status: 503 }));
    const { answer, own, attempts } = await traced({ body: chatBody('test-fallback') });
    expect(answer.status).toBe(200);
    const [failed, sound] = attempts;
    expect(failed).toMatchObject({
      name: 'chat failing-upstream',
      status: { code: 2, message: 'status 503' },
      attributes: { 'http.response.status_code': 503, 'error.type': '503', 'tollgate.provider.id': 'narrow' },
    });
    expect(sound).toMatchObject({
      name: 'chat sound-upstream',
      attributes: { 'http.request.resend_count': 1 },
    });
    expect(sound!['status']).toBeUndefined();
    expect(own.attributes['gen_ai.usage.input_tokens']).toBe(7);
    expect(JSON.stringify(attempts, (_, value) => String(value))).not.toContain('secret');
  });

  test('has a span for the queue if the request waited', async () => {
    const { answer: slowly, release } = answerSlowly();
    upstream.answer('narrow-upstream', slowly);
    const body = chatBody('test-narrow', { stream: true });
    upstream.forget();
    const first = send({ body });
    await waitFor(() => upstream.requests.length === 1);
    const second = traced({ body });
    await waitFor(async () =>
      /queue_length\{provider="narrow",class="paid"\} 1/.test((await server.call('/metrics')).text),
    );
    release();
    const waited = await second;
    expect((await first).status).toBe(200);
    expect(waited.queue).toHaveLength(1);
    expect(waited.queue[0]!['parentSpanId']).toBe(waited.own['spanId']);
    expect(isWithin(waited.queue[0]!, waited.own)).toBe(true);
  });

  test('of a refused request says why without an error of the span', async () => {
    const { own, spans } = await traced({ body: chatBody('nothing') });
    expect(own.attributes).toMatchObject({ 'http.response.status_code': 404, 'error.type': 'unknown_model' });
    expect({ status: own['status'], spanCount: spans.length }).toEqual({ status: undefined, spanCount: 1 });
    upstream.answer(`${HIDDEN}-test-max`, () => new Response(null, { status: 500 }));
    const failed = await traced({ body: chatBody('test-max') });
    expect(failed.own['status']).toEqual({ message: 'upstream_unavailable', code: 2 });
    expect(failed.settlement).toBeUndefined();
  });
});

describe('user and session come from', () => {
  const session = '0a1b2c3d-0000-4000-8000-000000000000';
  const message = { model: 'test-messages', max_tokens: 9, messages: [{ role: 'user', content: 'x' }] };

  test.each<[string, Sent, object]>([
    [
      'metadata.user_id of Claude Code',
      {
        path: '/v1/messages',
        body: { ...message, metadata: { user_id: `user_7f_account__session_${session}` } },
      },
      { 'user.id': 'user_7f', 'session.id': session, 'gen_ai.conversation.id': session },
    ],
    ['`user`', { body: chatBody('test-plain', { user: 'üser 1' }) }, { 'user.id': 'üser 1' }],
    [
      "Open WebUI's headers",
      { headers: { 'x-openwebui-user-id': 'u1', 'x-openwebui-chat-id': 'c1' } },
      { 'user.id': 'u1', 'session.id': 'c1' },
    ],
  ])('%s', async (_, sent, expected) => {
    const { own } = await traced(sent);
    expect(own.attributes).toMatchObject(expected);
  });
});

test('an item of a batch has a trace of its own', async () => {
  const batches = batchClient(server, { flavor: chatFlavor, key });
  const { id } = await batches.create(['test-plain']);
  await batches.ended(id);
  await waitFor(() => receiver.spans.some((span) => span['name'] === 'batch item'));
  const item = receiver.spans.find((span) => span['name'] === 'batch item')!;
  expect(item).toMatchObject({ kind: 1, attributes: { 'gen_ai.usage.input_tokens': 7 } });
  const names = receiver.spans
    .filter(({ traceId }) => traceId === item['traceId'])
    .map((span) => span['name']);
  expect(names.sort()).toEqual(['batch item', `chat ${HIDDEN}-test-plain`, 'settlement']);
});

test('a response in the background has a trace of its own', async () => {
  const body = { model: 'test-plain', input: 'hello', background: true };
  const { id } = (await server.call('/v1/responses', { headers: bearer(key), body })).body;
  const read = async () => (await server.call(`/v1/responses/${id}`, { headers: bearer(key) })).body.status;
  await waitFor(async () => (await read()) === 'completed');
  await waitFor(() => receiver.spans.some((span) => span['name'] === 'background'));
  const made = receiver.spans.find((span) => span['name'] === 'background')!;
  expect(made).toMatchObject({ kind: 1, attributes: { 'gen_ai.usage.input_tokens': 7 } });
  const names = receiver.spans
    .filter(({ traceId }) => traceId === made['traceId'])
    .map((span) => span['name']);
  expect(names.sort()).toEqual(['background', `chat ${HIDDEN}-test-plain`, 'settlement']);
});

test('no content is exported', async () => {
  const { answer } = await traced({
    body: chatBody('test-plain', { messages: [{ role: 'user', content: 'a private matter' }] }),
  });
  expect(answer.text).toContain('one two');
  const all = JSON.stringify(receiver.spans, (_, value) =>
    typeof value === 'bigint' ? String(value) : value,
  );
  expect(all).not.toMatch(/private matter|one two/);
});

test('probes, scrapes and the admin API have no traces', async () => {
  await server.call('/healthz');
  await server.admin('GET', '/accounts');
  await server.call('/v1/models');
  await waitFor(() => receiver.spans.some((span) => span['name'] === 'GET /v1/models'));
  const names = receiver.spans.map((span) => span['name']);
  expect(names.filter((name) => /healthz|admin/.test(name))).toEqual([]);
});

describe('metrics', () => {
  test('have the values of /metrics, cumulative, with the names of GenAI beside them', async () => {
    await traced({});
    const labels = { provider: PROVIDER, model: 'test-plain', route: CHAT, status: '2xx' };
    const sample = /tollgate_requests_total\{.*model="test-plain".*status="2xx"\} (\d+)/;
    const scraped = async () => Number(sample.exec((await server.call('/metrics')).text)?.[1]);
    await waitFor(
      async () => receiver.latest('tollgate_requests_total', labels)?.['value'] === (await scraped()),
    );
    const metric = (name: string) => receiver.metrics.findLast((each) => each['name'] === name)!;
    expect(metric('tollgate_requests_total')['sum']).toMatchObject({ temporality: 2, isMonotonic: 1 });
    expect(metric('process_resident_memory_bytes')).toMatchObject({ unit: 'By', gauge: {} });
    const duration = receiver.latest('tollgate_request_duration_seconds', labels)!;
    expect(duration['counts'].length).toBe(duration['bounds'].length + 1);
    expect(duration['counts'].reduce((a: number, b: number) => a + b)).toBe(Number(duration['count']));
    const genAi = { 'gen_ai.operation.name': 'chat', 'gen_ai.provider.name': PROVIDER };
    expect(receiver.latest('gen_ai.server.request.duration', genAi)).toBeDefined();
    expect(metric('gen_ai.server.time_to_first_token')['unit']).toBe('s');
    expect(receiver.latest('gen_ai.client.operation.duration', genAi)).toBeDefined();
    expect(metric('gen_ai.client.operation.duration')['unit']).toBe('s');
    const output = { ...genAi, 'gen_ai.token.type': 'output', 'gen_ai.request.model': 'test-plain' };
    const tokens = receiver.latest('gen_ai.client.token.usage', output)!;
    expect(tokens['sum'] / Number(tokens['count'])).toBe(3);
    expect(tokens['bounds'].slice(0, 3)).toEqual([1, 4, 16]);
    expect(metric('gen_ai.client.token.usage')['unit']).toBe('{token}');
  });

  test('and exemplars name the trace', async () => {
    const { answer, own } = await traced({});
    const { text } = await server.call('/metrics', { headers: { accept: 'application/openmetrics-text' } });
    expect(text).toContain(`# {trace_id="${own['traceId']}",request_id="${idOf(answer)}"}`);
    const exemplars = () =>
      receiver.metrics
        .filter((metric) => metric['name'] === 'tollgate_request_duration_seconds')
        .flatMap((metric) => metric['histogram'].points)
        .flatMap((point) => point['exemplars'] ?? []);
    await waitFor(() => exemplars().some((each) => each['traceId'] === own['traceId']));
    const exemplar = exemplars().find((each) => each['traceId'] === own['traceId']);
    expect(exemplar['spanId']).toEqual(own['spanId']);
    expect(attributesIn(exemplar)).toEqual({ request_id: idOf(answer) });
  });
});

test('the receiver gets the configured headers below its base address', () => {
  const paths = new Set(receiver.requests.map(({ path }) => path));
  expect([...paths].sort()).toEqual(['/base/v1/metrics', '/base/v1/traces']);
  expect(receiver.requests.every(({ headers }) => headers.get('x-receiver-key') === 'a key')).toBe(true);
});

describe('a server with other settings', () => {
  test('samples what its caller samples, uses the older names, and exports what waits when it stops', async () => {
    const other = startOtlpReceiver();
    const stopping = await startServer({
      config: {
        ...config,
        telemetry: { otlp: { endpoint: 'http://127.0.0.1:9', sample: 0 }, gen_ai_names: 'legacy' },
      },
      // An export before the stop would come too early for this test.
      environment: {
        OTEL_EXPORTER_OTLP_ENDPOINT: other.url,
        OTEL_BSP_SCHEDULE_DELAY: '600000',
        OTEL_METRIC_EXPORT_INTERVAL: '600000',
      },
    });
    const { key: itsKey } = await stopping.createKey('enterprise');
    const headers = { ...bearer(itsKey), traceparent: `00-${TRACE}-${PARENT}-01` };
    const url = stopping.url + CHAT;
    const body = chatBody('test-plain');
    const sampled = await call(url, { headers, body });
    const unsampled = await call(url, { headers: bearer(itsKey), body });
    expect(sampled.status).toBe(200);
    expect(unsampled.status).toBe(200);
    expect(other.requests).toHaveLength(0);
    expect(await stopping.stop()).toBe(0);
    expect(other.traceOf(idOf(sampled))).toHaveLength(3);
    expect(other.traceOf(idOf(unsampled))).toEqual([]);
    const [own] = other.traceOf(idOf(sampled));
    expect(own!.attributes).toMatchObject({ 'gen_ai.system': PROVIDER, 'gen_ai.usage.input_tokens': 7 });
    expect(own!.attributes['gen_ai.provider.name']).toBeUndefined();
    const labels = { provider: PROVIDER, model: 'test-plain', status: '2xx' };
    expect(other.latest('tollgate_requests_total', labels)?.['value']).toBe(2);
    expect(other.latest('tollgate_telemetry_exported_total', { signal: 'traces' })?.['value']).toBe(1);
    await other.stop();
  });
});
