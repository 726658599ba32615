import { expect, test } from 'bun:test';
import { configOf } from '../config/testing/config-of.ts';
import { findLocalServers } from './find-local-servers.ts';

const stopped = new AbortController().signal;

test('the gateway does not probe its own address', async () => {
  let asked = 0;
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: () => Response.json({ asked: ++asked }),
  });
  const here = `http://localhost:${server.port}`;
  const config = configOf(`local_servers: { ollama: ${here}, vllm: ${here}, llama_cpp: ${here} }`);
  const search = { config, environment: {}, stopped };
  expect((await findLocalServers({ ...search, ownPort: server.port! })).size).toBe(0);
  expect(asked).toBe(0);
  expect((await findLocalServers({ ...search, ownPort: 1 })).size).toBe(0);
  expect(asked).toBe(3);
  await server.stop(true);
});

for (const [what, answer] of Object.entries({
  'a page': new Response('<html>'),
  'a redirect': Response.redirect('http://169.254.169.254/v1/models', 302),
  'a list without models': Response.json({ models: [null, 7, {}], data: [null, 7, {}] }),
  'an oversized answer': new Response('x'.repeat(5_000_000)),
})) {
  test(`${what} is not a model server`, async () => {
    const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => answer.clone() as Response });
    const here = `http://127.0.0.1:${server.port}`;
    const config = configOf(`local_servers: { ollama: ${here}, vllm: ${here}, llama_cpp: ${here} }`);
    const found = await findLocalServers({ config, environment: {}, ownPort: 1, stopped });
    expect([...found.values()].flatMap(({ models }) => models)).toEqual([]);
    await server.stop(true);
  });
}
