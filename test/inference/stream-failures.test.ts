import { afterAll, beforeEach, describe, expect, test } from 'bun:test';
import { serveSimulator } from '../../src/simulator/serving/serve-simulator.ts';
import { type Answer, bearer, chatBody } from '../support/call.ts';
import { expectMessagesError } from '../support/expect-messages-error.ts';
import { expectNoTrace } from '../support/expect-no-trace.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { dataOf, messagesBody } from '../support/messages-body.ts';
import { shareOf } from '../support/share-of.ts';
import { startServer } from '../support/start-server.ts';
import { ableModel, chatWires, wirePrefix } from '../support/wire-models.ts';

/** Opens when the client has the first part, so that the failure happens in mid-stream on any machine. */
let gate = Promise.withResolvers<void>();
const upstream = serveSimulator({ beforeFault: () => gate.promise });
const STALL = 'stall-after=12';
/** The simulator's directives. */
const midStream = {
  'cut-after=12': 'breaks off',
  'malformed-after=12': 'sends a malformed event',
  'error-after=12': 'reports an error',
  [STALL]: 'falls silent',
};
const atOnce = {
  'status=500': 'an error',
  'first-event-error=true': 'an error in place of an answer',
  'cut-after=0': 'a broken connection',
  'malformed-after=0': 'a malformed event',
};
const to = (wire: string, how: string) => ({
  provider: how === STALL ? `hidden-hurried-${wire}` : `hidden-${wire}`,
  model: `hidden-model!${how}`,
});
const nameOf = (wire: string, how: string) => `${wire}-${how.replace(/\W/g, '-')}`;

const server = await startServer({
  config: {
    providers: chatWires.flatMap((wire) => {
      const host = { id: `hidden-${wire}`, wire, base_url: upstream.url + wirePrefix[wire] };
      return [host, { ...host, id: `hidden-hurried-${wire}`, timeouts: { idle_ms: 200 } }];
    }),
    catalog: {
      default: false,
      models: chatWires.flatMap((wire) => [
        ...Object.keys(midStream).map((how) => ableModel(nameOf(wire, how), [to(wire, how)])),
        ...Object.keys(atOnce).flatMap((how) => [
          ableModel(nameOf(wire, how), [to(wire, how)]),
          ableModel(`then-${nameOf(wire, how)}`, [to(wire, how), to(wire, 'echo-model=hidden')]),
        ]),
        ableModel(nameOf(wire, 'called'), [to(wire, 'cut-after=12')]),
      ]),
    },
  },
});
beforeEach(() => gate.resolve());
afterAll(async () => {
  await server.stop();
  await upstream.stop();
});

/** Asks for a stream that fails in its middle. */
function failingLate<Result>(ask: (begun: () => void) => Promise<Result>): Promise<Result> {
  gate = Promise.withResolvers();
  return ask(gate.resolve);
}

const { key } = await server.createKey('enterprise');
const headers = bearer(key);
const ports = [Number(new URL(upstream.url).port)];
const messages = [{ role: 'user', content: 'count to 50' }];

const dialects = {
  'chat completions': {
    ask: (model: string, fields: object, begun?: () => void) =>
      server.call('/v1/chat/completions', {
        headers,
        begun,
        body: chatBody(model, { messages, ...fields }),
      }),
    /** The end of a failed stream: its error, and no regular end. */
    expectBroken(text: string) {
      const last = dataOf(text).at(-1);
      expect(last).toEqual({
        error: { type: 'server_error', code: expect.any(String), message: expect.any(String), param: null },
      });
      expect(text).not.toContain('[DONE]');
      expect(text).toEndWith(`data: ${JSON.stringify(last)}\n\n`);
      return last.error.code;
    },
    expectRefused: (answer: Answer) => expectRefusal(answer, 503, 'upstream_unavailable'),
    said: ({ body, text }: Answer, { stream }: { stream: boolean }): string =>
      stream
        ? dataOf(text)
            .map(({ choices }) => choices[0]?.delta.content ?? '')
            .join('')
        : body.choices[0].message.content,
  },
  messages: {
    ask: (model: string, fields: object, begun?: () => void) =>
      server.call('/v1/messages', {
        headers,
        begun,
        body: messagesBody(model, { messages, ...fields }),
      }),
    expectBroken(text: string) {
      const last = dataOf(text).at(-1);
      expect(last).toEqual({
        type: 'error',
        error: { type: 'api_error', code: expect.any(String), message: expect.any(String) },
      });
      expect(text).not.toMatch(/message_(delta|stop)/);
      expect(text).toEndWith(`event: error\ndata: ${JSON.stringify(last)}\n\n`);
      return last.error.code;
    },
    expectRefused: (answer: Answer) =>
      expectMessagesError(answer, 503, ['api_error', 'upstream_unavailable']),
    said: ({ body, text }: Answer, { stream }: { stream: boolean }): string =>
      stream
        ? dataOf(text)
            .map(({ delta }) => delta?.text ?? '')
            .join('')
        : body.content[0].text,
  },
  responses: {
    ask: (
      model: string,
      { messages: input = messages, ...fields }: Record<string, unknown>,
      begun?: () => void,
    ) =>
      server.call('/v1/responses', {
        headers,
        begun,
        body: { model, input, ...fields },
      }),
    expectBroken(text: string) {
      const events = dataOf(text);
      const [error, failed] = events.slice(-2);
      expect(events.map(({ sequence_number }) => sequence_number)).toEqual([...events.keys()]);
      const { code, message } = error;
      expect(error).toEqual({
        type: 'error',
        sequence_number: events.length - 2,
        code: expect.any(String),
        message: expect.any(String),
        param: null,
        error: { type: 'server_error', code, message, param: null },
      });
      expect(failed).toMatchObject({
        type: 'response.failed',
        response: { object: 'response', status: 'failed', error: { code: 'server_error', message } },
      });
      expect(failed.response.output).toBeArray();
      expect(failed.response.id).toBe(events[0].response?.id ?? failed.response.id);
      expect(text).not.toMatch(/response\.(completed|incomplete)/);
      expect(text).toEndWith(`event: response.failed\ndata: ${JSON.stringify(failed)}\n\n`);
      return code;
    },
    expectRefused: (answer: Answer) => expectRefusal(answer, 503, 'upstream_unavailable'),
    said: ({ body, text }: Answer, { stream }: { stream: boolean }): string =>
      stream
        ? dataOf(text)
            .map(({ type, delta }) => (type === 'response.output_text.delta' ? delta : ''))
            .join('')
        : body.output[0].content[0].text,
  },
};

const failureCode = (how: string): string => (how === STALL ? 'upstream_timeout' : 'upstream_unavailable');

for (const [turn, [name, { ask, expectBroken, expectRefused, said }]] of Object.entries(dialects).entries()) {
  const proves = { messages: '[STR-13]', responses: '[STR-14]' }[name] ?? '[STR-16]';

  describe.each(shareOf([...chatWires], { turn, of: 2 }))(`${name} on %s`, (wire) => {
    test.each(
      Object.entries(midStream),
    )(`%s: a stream that %s ends with its error ${proves} [STR-17] [STR-18]`, async (how) => {
      const answer = await failingLate((begun) => ask(nameOf(wire, how), { stream: true }, begun));
      expect(answer.status).toBe(200);
      expect(expectBroken(answer.text)).toBe(failureCode(how));
      expect(
        said({ ...answer, text: answer.text.slice(0, answer.text.lastIndexOf('data: ')) }, { stream: true }),
      ).toContain('1');
      expectNoTrace(answer, ports);
    });

    test('ends a stream that breaks within a tool call with its error [STR-19]', async () => {
      const input_schema = { type: 'object', properties: { place: { type: 'string' } } };
      const chatTool = { type: 'function', function: { name: 'weather', parameters: input_schema } };
      const tools = {
        messages: [{ name: 'weather', input_schema }],
        responses: [{ type: 'function', name: 'weather', parameters: input_schema }],
      }[name] ?? [chatTool];
      const content = `call weather with {"place": "${'Rome '.repeat(40)}"}`;
      const fields = { stream: true, tools, messages: [{ role: 'user', content }] };
      const { text } = await failingLate((begun) => ask(nameOf(wire, 'called'), fields, begun));
      // Google sends a call whole, so that its stream is over before it could break.
      if (wire !== 'google-generate') expect(expectBroken(text)).toBe('upstream_unavailable');
    });

    for (const stream of [false, true]) {
      const way = stream ? 'stream' : 'answer';

      test.each(
        Object.entries(atOnce),
      )(`%s: %s in place of a ${way} is an error with its own status [STR-20]`, async (how) => {
        const answer = await ask(nameOf(wire, how), { stream });
        expectRefused(answer);
        expectNoTrace(answer, ports);
      });

      test.each(
        Object.entries(atOnce),
      )(`%s: %s in place of a ${way} leads to the next target [STR-20]`, async (how) => {
        const answer = await ask(`then-${nameOf(wire, how)}`, { stream });
        expect(answer.status).toBe(200);
        expect(said(answer, { stream })).toEqual(expect.stringMatching(/ 49 50$/));
        expectNoTrace(answer, ports);
      });
    }
  });
}
