import { afterAll, describe, expect, test } from 'bun:test';
import OpenAI, {
  AuthenticationError,
  BadRequestError,
  InternalServerError,
  NotFoundError,
  PermissionDeniedError,
  UnprocessableEntityError,
} from 'openai';
import { answerStatus, startRecordingUpstream } from '../support/recording-upstream.ts';
import { sampleConfig } from '../support/sample-config.ts';
import { startServer } from '../support/start-server.ts';
import { waitFor } from '../support/wait-for.ts';

const upstream = startRecordingUpstream();
upstream.answer('hidden-test-max', answerStatus(500));
upstream.answer('hidden-test-vision', answerStatus(422));
const server = await startServer({ config: sampleConfig(upstream.url) });
afterAll(async () => {
  await server.stop();
  await upstream.stop();
});

const { account, key } = await server.createKey('enterprise');
const clientWith = (apiKey: string) => new OpenAI({ apiKey, baseURL: `${server.url}/v1`, maxRetries: 1 });
const client = clientWith(key);
const messages = [{ role: 'user' as const, content: 'hello' }];
const failure = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error) => error,
  );

describe('the official client', () => {
  test("lists models, which are the gateway's model entries [MOD-01] [MOD-02]", async () => {
    const ids: string[] = [];
    for await (const model of client.models.list()) ids.push(model.id);
    expect(ids).toContain('@svc/test-small');
    expect(ids.length).toBe((await server.call('/v1/models')).body.data.length);
  });

  test('retrieves a model by any spelling [MOD-43] [MOD-44] [MOD-46]', async () => {
    for (const id of ['@svc/test-small', 'svc-test-small', 'test-small']) {
      const model = await client.models.retrieve(id);
      expect(model).toMatchObject({ id: '@svc/test-small', object: 'model', owned_by: 'test-labs' });
    }
    const error = await failure(client.models.retrieve('nothing'));
    expect(error).toBeInstanceOf(NotFoundError);
    expect({ status: error.status, type: error.type }).toEqual({ status: 404, type: 'not_found' });
  });

  test('completes a chat', async () => {
    const completion = await client.chat.completions.create({ model: 'test-plain', messages });
    expect(completion.id).toMatch(/^chatcmpl-[0-9A-Za-z]{29}$/);
    expect(completion).toMatchObject({ object: 'chat.completion', model: 'test-plain' });
    expect(completion.choices[0]).toMatchObject({ message: { content: 'one two' }, finish_reason: 'stop' });
    expect(completion.usage).toMatchObject({ prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 });
    expect(completion._request_id).toMatch(/^req_/);
  });

  test('streams a chat under one id and one model', async () => {
    const stream = await client.chat.completions.create({ model: 'test-plain', messages, stream: true });
    let text = '';
    const labels = new Set<string>();
    for await (const { id, model, choices, usage } of stream) {
      text += choices[0]?.delta.content ?? '';
      labels.add(`${id} ${model}`);
      expect(usage ?? null).toBeNull();
    }
    expect(text).toBe('one two');
    expect([...labels]).toEqual([expect.stringMatching(/^chatcmpl-[0-9A-Za-z]{29} test-plain$/)]);
  });

  test('receives the usage of a stream on request', async () => {
    const stream_options = { include_usage: true };
    const stream = await client.chat.completions.create({
      model: 'test-plain',
      messages,
      stream: true,
      stream_options,
    });
    const usages = [];
    for await (const chunk of stream) if (chunk.usage) usages.push(chunk.usage.total_tokens);
    expect(usages).toEqual([10]);
  });

  test('collects a stream with its own helper', async () => {
    const runner = client.chat.completions.stream({ model: 'test-plain', messages });
    expect(await runner.finalContent()).toBe('one two');
  });

  test('can leave a stream in the middle, which ends the upstream call', async () => {
    upstream.forget();
    upstream.answer(
      'hidden-test-small',
      () =>
        new Response(
          new ReadableStream({
            start(controller) {
              controller.enqueue(
                new TextEncoder().encode('data: {"choices":[{"index":0,"delta":{"content":"a"}}]}\n\n'),
              );
            },
          }),
          { headers: { 'content-type': 'text/event-stream' } },
        ),
    );
    const stream = await client.chat.completions.create({ model: 'test-small', messages, stream: true });
    for await (const _ of stream) break;
    const [request] = upstream.requests;
    await waitFor(() => request!.aborted());
  });
});

describe("the official client's error classes", () => {
  test("an invalid key is an AuthenticationError, with the request's id", async () => {
    const error = await failure(
      clientWith('svc_no').chat.completions.create({ model: 'test-plain', messages }),
    );
    expect(error).toBeInstanceOf(AuthenticationError);
    expect(error).toMatchObject({
      status: 401,
      code: 'invalid_api_key',
      type: 'authentication_error',
      param: null,
    });
    expect(error.requestID).toMatch(/^req_[0-9A-Za-z]{29}$/);
    expect(error.headers.get('x-svc-request-id')).toBe(error.requestID);
  });

  test('an invalid parameter is a BadRequestError with its path', async () => {
    const error = await failure(
      client.chat.completions.create({ model: 'test-plain', messages, temperature: 9 }),
    );
    expect(error).toBeInstanceOf(BadRequestError);
    expect(error).toMatchObject({
      code: 'invalid_request',
      type: 'invalid_request_error',
      param: 'temperature',
    });
  });

  test('an unknown model is a NotFoundError', async () => {
    const error = await failure(client.chat.completions.create({ model: 'nothing', messages }));
    expect(error).toBeInstanceOf(NotFoundError);
    expect({ code: error.code, param: error.param }).toEqual({ code: 'unknown_model', param: 'model' });
  });

  test('a model that the key must not use is a PermissionDeniedError', async () => {
    const only = await server.createKey('enterprise', { account, allowed_models: ['test-plain'] });
    const error = await failure(
      clientWith(only.key).chat.completions.create({ model: 'test-small', messages }),
    );
    expect(error).toBeInstanceOf(PermissionDeniedError);
    expect(error.type).toBe('permission_error');
  });

  test('a request that the model cannot serve is an UnprocessableEntityError without a retry', async () => {
    upstream.forget();
    const error = await failure(client.chat.completions.create({ model: 'test-vision', messages }));
    expect(error).toBeInstanceOf(UnprocessableEntityError);
    expect({ code: error.code, requestCount: upstream.requests.length }).toEqual({
      code: 'request_unprocessable',
      requestCount: 1,
    });
  });

  test('a failing upstream is an InternalServerError, after a retry', async () => {
    upstream.forget();
    const error = await failure(client.chat.completions.create({ model: 'test-max', messages }));
    expect(error).toBeInstanceOf(InternalServerError);
    expect(error).toMatchObject({ status: 503, code: 'upstream_unavailable', type: 'server_error' });
    expect(upstream.requests.length).toBe(2);
  });
});
