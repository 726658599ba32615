import { afterAll, expect } from 'bun:test';
import { serveSimulator } from '../../src/simulator/serving/serve-simulator.ts';
import { contractProblems } from '../../src/translation/protocols/testing/openai-contract.ts';
import { type Answer, bearer, type Json } from './call.ts';
import { expectNoTrace } from './expect-no-trace.ts';
import { dataOf } from './messages-body.ts';
import { startServer } from './start-server.ts';
import { ableModel, chatWires, wireProviders } from './wire-models.ts';

const toolsOnly = { tools: true, reasoning: false, vision: false, documents: false };
const route = (wire: string, behaviour = '') => [
  { provider: `hidden-${wire}`, model: `hidden-${wire}${behaviour}` },
];

const configFor = (upstreamUrl: string) => ({
  providers: wireProviders(upstreamUrl, 'hidden-').map((row) => ({ ...row, allow_fields: ['prompt.id'] })),
  catalog: {
    default: false,
    models: [
      ...chatWires.flatMap((wire) => [
        ableModel(`on-${wire}`, route(wire), { max_output: 5_000 }),
        ableModel(`plain-on-${wire}`, route(wire), { capabilities: toolsOnly, reasoning_efforts: [] }),
        ableModel(`stalling-on-${wire}`, route(wire, '!stall-after=12')),
        ableModel(`uncounted-on-${wire}`, route(wire, '!usage=none')),
      ]),
      ableModel('@svc/spelled', route('openai-responses'), {
        aliases: ['old-spelled'],
        allow_unpriced: ['web_search'],
      }),
    ],
    handles: { 'gpt-stock': '@svc/spelled' },
    previews: { 'next-model': '@svc/spelled' },
  },
});

/** Starts a server with models on every wire of conversations, for one test file of `/v1/responses`. */
export async function openResponsesGateway() {
  const upstream = serveSimulator();
  const server = await startServer({ config: configFor(upstream.url) });
  afterAll(async () => {
    await server.stop();
    await upstream.stop();
  });
  const { key } = await server.createKey('enterprise');
  const ports = [Number(new URL(upstream.url).port)];
  const post = (body: unknown, query = ''): Promise<Answer> =>
    server.call(`/v1/responses${query}`, { headers: bearer(key), body });
  return {
    server,
    key,
    post,
    /** Returns the last request that reached the upstream. */
    sent: (): Json => upstream.requests().at(-1)!.body,
    /** Returns functions that ask the model on a wire. They expect answers that match the public schemas. */
    askOn(wire: string) {
      const body = { model: `on-${wire}`, input: 'say: hello' };
      return {
        model: body.model,
        async ask(fields: Json = {}): Promise<Json> {
          const answer = await post({ ...body, ...fields });
          expect(answer.status, answer.text).toBe(200);
          expectNoTrace(answer, ports);
          expect(contractProblems('Response', answer.body)).toEqual([]);
          return answer.body;
        },
        async stream(fields: Json = {}): Promise<Json[]> {
          const answer = await post({ ...body, stream: true, ...fields });
          expect(answer.headers.get('content-type')).toStartWith('text/event-stream');
          expectNoTrace(answer, ports);
          return dataOf(answer.text);
        },
      };
    },
  };
}

export const weather = {
  type: 'function' as const,
  name: 'weather',
  description: 'How it is outside.',
  parameters: { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] },
  strict: false,
};

/** Returns the response objects of a stream. */
export const envelopesOf = (events: readonly Json[]): Json[] =>
  events.flatMap(({ response }) => response ?? []);
