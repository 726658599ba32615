import { afterAll, beforeEach, describe, expect, test } from 'bun:test';
import { expectNoTrace } from '../support/expect-no-trace.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { startServer } from '../support/start-server.ts';
import { waitFor } from '../support/wait-for.ts';
import { ableModel, chatWires } from '../support/wire-models.ts';

/** The redirect's target: an internal address, such as cloud metadata. */
let arrived = 0;
const inside = Bun.listen({
  hostname: '127.0.0.1',
  port: 0,
  socket: {
    open() {
      arrived++;
    },
    data() {},
  },
});
let status = 302;
let asked = 0;
const upstream = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch() {
    asked++;
    return new Response(null, {
      status,
      headers: { location: `http://127.0.0.1:${inside.port}/latest/meta-data` },
    });
  },
});

const host = (wire: string, more = {}) => ({
  id: `hidden-${wire}`,
  wire,
  base_url: `http://127.0.0.1:${upstream.port}`,
  ...more,
});
const server = await startServer({
  config: {
    simulator: { mode: 'off' },
    providers: [
      ...chatWires.map((wire) => host(wire)),
      host('openai-embeddings'),
      host('probed', { wire: 'openai-chat', probe: { interval_s: 1, path: '/models' } }),
    ],
    catalog: {
      default: false,
      models: [
        ...chatWires.map((wire) => ableModel(`on-${wire}`, [{ provider: `hidden-${wire}`, model: 'm' }])),
        {
          ...ableModel('vectors', [{ provider: 'hidden-openai-embeddings', model: 'm' }]),
          kind: 'embedding',
          output_dimensions: 8,
          reasoning_efforts: [],
          capabilities: { tools: false, reasoning: false, vision: false, documents: false },
        },
      ],
    },
  },
});
afterAll(async () => {
  await server.stop();
  await upstream.stop(true);
  inside.stop(true);
});
const { key } = await server.createKey('enterprise');
beforeEach(() => {
  asked = 0;
});

describe.each([
  301, 302, 303, 307, 308,
])('a provider that answers %d with an internal address', (redirect) => {
  for (const wire of chatWires)
    for (const stream of [false, true])
      test(`is not followed (${wire}, ${stream ? 'streamed' : 'whole'}), and the client does not see the address`, async () => {
        status = redirect;
        const answer = await server.chat(key, `on-${wire}`, { stream });
        expectRefusal(answer, 503, 'upstream_unavailable');
        expectNoTrace(answer, [upstream.port!, inside.port]);
        expect(asked).toBeGreaterThan(0);
        expect(arrived).toBe(0);
      });

  test('is not followed for embeddings', async () => {
    status = redirect;
    const headers = { authorization: `Bearer ${key}` };
    const answer = await server.call('/v1/embeddings', {
      headers,
      body: { model: 'vectors', input: 'hello' },
    });
    expectRefusal(answer, 503, 'upstream_unavailable');
    expect(asked).toBeGreaterThan(0);
    expect(arrived).toBe(0);
  });
});

test('probes do not follow redirects', async () => {
  status = 307;
  const before = asked;
  await waitFor(() => asked > before + 1);
  const probed = async () => (await server.admin('GET', '/providers/hidden-probed')).body.last_probe;
  expect((await probed()).ok).toBe(false);
  expect(arrived).toBe(0);
});
