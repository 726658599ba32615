import { expect, test } from 'bun:test';
import { runCaptured } from '../testing/run-captured.ts';

test('a refusal of the admin API is shown instead of a wait for the record', async () => {
  let reads = 0;
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    routes: {
      '/admin/v1/catalog/:id': () => Response.json({ id: 'm', kind: 'chat' }),
      '/v1/chat/completions': () => Response.json({}, { headers: { 'x-svc-request-id': 'req_1' } }),
      '/admin/v1/ledger/entries/:id': () => {
        reads++;
        return Response.json({ error: { message: 'The token may not read entries.' } }, { status: 403 });
      },
    },
  });
  const access = ['--url', server.url.href, '--admin-token', 't', '--key', 'k'];
  const { code, remarked } = await runCaptured(['models', 'test', 'm', ...access]);
  expect({ code, remarked, reads }).toEqual({
    code: 1,
    remarked: 'tollgate: The token may not read entries.',
    reads: 1,
  });
  await server.stop(true);
});

test('nothing waits for a record if the server keeps none', async () => {
  let reads = 0;
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    routes: {
      '/admin/v1/catalog/:id': () => Response.json({ id: 'm', kind: 'chat' }),
      '/v1/chat/completions': () => Response.json({}, { headers: { 'x-svc-request-id': 'req_1' } }),
      '/admin/v1/ledger/entries/:id': () => Response.json({ microcredits: 5 }),
      '/admin/v1/requests/:id': () => {
        reads++;
        return Response.json({ error: { message: 'No records are kept.', kept_s: 0 } }, { status: 404 });
      },
    },
  });
  const access = ['--url', server.url.href, '--admin-token', 't', '--key', 'k'];
  const { code, printed } = await runCaptured(['models', 'test', 'm', '--json', ...access]);
  expect({ code, reads }).toEqual({ code: 0, reads: 1 });
  expect(JSON.parse(printed)).toMatchObject({ microcredits: 5, provider: null });
  await server.stop(true);
});
