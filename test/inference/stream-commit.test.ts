import { afterAll, beforeEach, describe, expect, test } from 'bun:test';
import { bearer, chatBody } from '../support/call.ts';
import { expectNoTrace } from '../support/expect-no-trace.ts';
import { dataOf, messagesBody } from '../support/messages-body.ts';
import {
  answerStatus,
  answerWell,
  startRecordingUpstream,
  streamed,
  type UpstreamAnswer,
} from '../support/recording-upstream.ts';
import { startServer } from '../support/start-server.ts';
import { waitFor } from '../support/wait-for.ts';
import { ableModel } from '../support/wire-models.ts';

const upstream = startRecordingUpstream();
const to = (name: string) => ({ provider: 'hidden-host', model: `hidden-${name}` });
const server = await startServer({
  config: {
    simulator: { mode: 'off' },
    providers: [{ id: 'hidden-host', wire: 'openai-chat', base_url: upstream.url }],
    catalog: {
      default: false,
      models: [ableModel('one', [to('first')]), ableModel('two', [to('first'), to('second')])],
    },
    limits: { stream_commit_s: 0.1, keep_alive_s: 0.1 },
  },
});
afterAll(async () => {
  await server.stop();
  await upstream.stop();
});
const { key } = await server.createKey('enterprise');
const headers = bearer(key);
beforeEach(() => {
  upstream.forget();
  upstream.answer('hidden-second', answerWell);
});

const COMMENT = ': keep-alive\n\n';
const responsesBody = (model: string, fields: object) => ({ model, input: 'hello', ...fields });
const dialects = [
  { name: 'chat completions', path: '/v1/chat/completions', body: chatBody, end: 'data: [DONE]\n\n' },
  { name: 'messages', path: '/v1/messages', body: messagesBody, end: 'data: {"type":"message_stop"}\n\n' },
  { name: 'responses', path: '/v1/responses', body: responsesBody, end: '\n\n' },
] as const;

/** Delays an answer until its release. */
function later(answer: UpstreamAnswer): { answer: UpstreamAnswer; release: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { answer: (request) => promise.then(() => answer(request)), release: resolve };
}

/** Begins to speak, and goes on when it is let go. */
function paused(): { answer: UpstreamAnswer; release: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  const answer: UpstreamAnswer = async (request) => {
    const frames = (await (await answerWell(request)).text()).split(/(?<=\n\n)/);
    async function* send() {
      yield frames[0];
      await promise;
      yield frames.slice(1).join('');
    }
    return streamed(send() as unknown as ReadableStream);
  };
  return { answer, release: resolve };
}

describe.each(dialects)('$name', ({ path, body, end }) => {
  const proves = path === '/v1/responses' ? ' [STR-15]' : '';

  async function open(model: string) {
    const sent = JSON.stringify(body(model, { stream: true }));
    const response = await fetch(server.url + path, { method: 'POST', headers, body: sent });
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    const next = async () => (await reader.read()).value ?? '';
    return {
      response,
      next,
      /** Reads until this number of comments. Several can arrive at once. */
      async comments(count: number) {
        let text = '';
        while (text.split(COMMENT).length <= count) text += await next();
        expect(text.replaceAll(COMMENT, '')).toBe('');
      },
      async rest() {
        let text = '';
        for (let piece = await next(); piece !== ''; piece = await next()) text += piece;
        expectNoTrace({ headers: response.headers, text }, [upstream.port]);
        return text;
      },
    };
  }

  test('begins a slow stream with keep-alive comments before the answer [STR-24]', async () => {
    const slow = later(answerWell);
    upstream.answer('hidden-first', slow.answer);
    const { response, comments, rest } = await open('one');
    expect({ status: response.status, contentType: response.headers.get('content-type') }).toEqual({
      status: 200,
      contentType: 'text/event-stream; charset=utf-8',
    });
    await comments(2);
    slow.release();
    const text = await rest();
    expect(text).toContain('one ');
    expect(text).toEndWith(end);
  });

  test('can still answer from another target after the head was sent [STR-24]', async () => {
    const slow = later(answerStatus(500));
    upstream.answer('hidden-first', slow.answer);
    const { comments, rest } = await open('two');
    await comments(1);
    slow.release();
    expect(await rest()).toContain('one ');
    expect(upstream.models()).toEqual(['hidden-first', 'hidden-second']);
  });

  test(`reports a failure in the stream after the head was sent [STR-25]${proves}`, async () => {
    const slow = later(answerStatus(429));
    upstream.answer('hidden-first', slow.answer);
    const { comments, rest } = await open('one');
    await comments(1);
    slow.release();
    const text = await rest();
    const events = dataOf(text);
    const error = { code: 'upstream_overloaded', message: expect.any(String) };
    if (path === '/v1/messages') {
      expect(events).toEqual([{ type: 'error', error: { type: 'overloaded_error', ...error } }]);
      expect(text).toContain('event: error\n');
    } else if (path === '/v1/responses') {
      expect(events).toEqual([
        expect.objectContaining({ type: 'error', sequence_number: 0, param: null, ...error }),
        expect.objectContaining({
          type: 'response.failed',
          sequence_number: 1,
          response: expect.objectContaining({ model: 'one', status: 'failed', output: [] }),
        }),
      ]);
    } else {
      expect(events).toEqual([{ error: { type: 'server_error', param: null, ...error } }]);
      expect(text).not.toContain('[DONE]');
    }
  });

  test('sends keep-alive comments in a silent stream [STR-21]', async () => {
    const pausing = paused();
    upstream.answer('hidden-first', pausing.answer);
    const { next, rest } = await open('one');
    let text = '';
    while (!text.endsWith(COMMENT + COMMENT)) text += await next();
    expect(text).toContain('one ');
    pausing.release();
    const ending = await rest();
    expect(ending).toContain('two');
    expect(ending).toEndWith(end);
  });

  test('ends the upstream call when a client leaves before the answer', async () => {
    upstream.answer('hidden-first', () => new Promise(() => {}));
    const leaving = new AbortController();
    const sent = JSON.stringify(body('two', { stream: true }));
    const response = await fetch(server.url + path, {
      method: 'POST',
      headers,
      body: sent,
      signal: leaving.signal,
    });
    await response.body!.getReader().read();
    leaving.abort();
    await waitFor(() => upstream.requests[0]!.aborted());
    expect(upstream.models()).toEqual(['hidden-first']);
  });
});

test('ends a waiting stream with an error when the server stops', async () => {
  const stopping = await startServer({
    config: {
      server: { drain_s: 0.1 },
      simulator: { mode: 'off' },
      providers: [{ id: 'hidden-host', wire: 'openai-chat', base_url: upstream.url }],
      catalog: { default: false, models: [ableModel('one', [to('never')])] },
      limits: { stream_commit_s: 0.05 },
    },
  });
  upstream.answer('hidden-never', () => new Promise(() => {}));
  const { key: other } = await stopping.createKey('enterprise');
  const response = await fetch(`${stopping.url}/v1/chat/completions`, {
    method: 'POST',
    headers: bearer(other),
    body: JSON.stringify(chatBody('one', { stream: true })),
  });
  const text = response.text();
  expect(await stopping.stop()).toBe(0);
  expect(dataOf(await text)).toEqual([{ error: expect.objectContaining({ code: 'capacity_unavailable' }) }]);
});
