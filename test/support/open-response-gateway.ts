import { afterAll } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import OpenAI from 'openai';
import { serveSimulator } from '../../src/simulator/serving/serve-simulator.ts';
import { type Answer, bearer, type Json } from './call.ts';
import { expectOk } from './expect-ok.ts';
import { startServer } from './start-server.ts';
import { ableModel, chatWires, wirePrefix } from './wire-models.ts';

/**
 * A server for the tests of one file that keeps responses, with a simulated upstream on every wire and ways
 * to make responses and read them.
 */
export async function openResponseGateway() {
  const begun = Promise.withResolvers<void>();
  const upstream = serveSimulator({ beforeFault: () => begun.promise });
  const route = (wire: string, how = '') => [{ provider: `hidden-${wire}`, model: `hidden-${wire}${how}` }];
  const config = {
    providers: chatWires.map((wire) => ({
      id: `hidden-${wire}`,
      wire,
      base_url: upstream.url + wirePrefix[wire],
    })),
    catalog: {
      default: false,
      models: [
        ...chatWires.map((wire) => ableModel(`on-${wire}`, route(wire))),
        ableModel('blind', route('openai-chat'), { capabilities: { tools: true } }),
        ableModel('ill', route('openai-responses', '!status=500'), {
          delivery: 'optimized',
          comparable: ['on-openai-responses'],
        }),
        ableModel('failing', route('openai-chat', '!cut-after=6')),
      ],
    },
  };
  const dataDirectory = mkdtempSync(join(tmpdir(), 'tollgate-test-'));
  const start = () => startServer({ config, dataDirectory, environment: { TOLLGATE_TEST_CLOCK: '1' } });
  let server = await start();
  afterAll(async () => {
    await server.stop();
    await upstream.stop();
    rmSync(dataDirectory, { recursive: true, force: true });
  });

  const { key, account } = await server.createKey('enterprise');
  const sibling = await server.createKey('enterprise', { account });
  const stranger = await server.createKey('enterprise');

  const post = (body: Json, secret = key) => server.call('/v1/responses', { headers: bearer(secret), body });
  const read = (id: string, { secret = key, query = '', method = 'GET' } = {}) =>
    server.call(`/v1/responses/${id}${query}`, { headers: bearer(secret), method });
  const made = async (body: Json): Promise<Answer> => {
    const answer = await post({ model: 'on-openai-chat', input: 'say: hello', ...body });
    expectOk(answer);
    return answer;
  };
  /** The text of the last request that reached the upstream. */
  const sent = (): string => JSON.stringify(upstream.requests().at(-1)!.body);
  const client = () => new OpenAI({ apiKey: key, baseURL: `${server.url}/v1`, maxRetries: 0 });
  return {
    begun,
    upstream,
    key,
    account,
    sibling,
    stranger,
    post,
    read,
    made,
    sent,
    client,
    server: () => server,
    /** Kills the server, and starts it again on the same data. */
    async restart() {
      server.signal('SIGKILL');
      await server.exited;
      await server.stop();
      server = await start();
    },
  };
}
