import { afterAll, describe, expect, test } from 'bun:test';
import { pathSpellings } from '../../scripts/deploy/path-spellings.mjs';
import { sendTargets } from '../../scripts/deploy/send-targets.mjs';
import { isForOperators } from '../../src/edge/http/is-for-operators.ts';
import { jsonReply } from '../../src/edge/http/reply.ts';
import { listenOnRoutes } from '../support/listen-on-routes.ts';

const ROUTES = [
  '/',
  '/docs',
  '/metrics',
  '/operator',
  '/models/{id*}',
  '/v1/models',
  '/v1/models/{id*}',
  '/v1beta/models/{id}',
  '/v1/chat/completions',
  '/admin/v1/catalog/{id*}',
  '/admin/v1/models/{id*}',
  '/admin/v1/accounts',
  '/operator/accounts',
  '/dashboard/v1/operator/accounts',
  '/admin/v1/keys/{id}',
];
let reached: string[] = [];

const server = listenOnRoutes(
  ROUTES.map((path) => ({
    method: 'GET',
    path,
    handle: (exchange) => {
      reached.push(path);
      return jsonReply(200, exchange.params);
    },
  })),
);
afterAll(() => server.close());

async function statusOf(target: string, parallel = 1): Promise<number> {
  reached = [];
  const [status] = await sendTargets([target], { port: server.port, host: 'gateway.example', parallel });
  return status!;
}

describe('a path is compared as it was sent [AUT-31]', () => {
  for (const [what, targets] of Object.entries({
    'a dot segment': ['/x/../metrics', '/./metrics', '/v1/models/..', '/v1/models/.', '/..', '/metrics/.'],
    'an encoded dot segment': ['/v1/%2e%2e/metrics', '/x/.%2E/metrics', '/%2e/metrics', '/v1/models/x%2f..'],
    'a backslash': ['/x/..\\metrics', '/\\metrics', '/x%5c..%5Cmetrics', '/v1/models/a\\b'],
    'an encoded slash': [
      '/x%2f..%2fmetrics',
      '/v1/chat%2Fcompletions',
      '/admin/v1/keys/a%2Fb',
      '/v1%2fmodels',
    ],
    'a control character': ['/metrics\x7f', '/v1/models/a\x7fb'],
    'a dot segment in the absolute form': ['http://gateway.example/x/../metrics'],
  })) {
    test(`${what} is refused with 400 before routing`, async () => {
      for (const target of targets)
        expect({ target, status: await statusOf(target), reached }).toEqual({
          target,
          status: 400,
          reached: [],
        });
    });
  }

  test('a raw control character below 0x20 is refused before routing', async () => {
    for (const target of ['/metrics\x01', '/x\x1f/metrics', '/a\tb']) {
      expect(await statusOf(target)).toBeGreaterThanOrEqual(400);
      expect(reached).toEqual([]);
    }
  });

  test('only slashes at the end of client paths are ignored', async () => {
    for (const target of [
      '//metrics',
      '/admin//v1/accounts',
      '/v1//models',
      '//',
      '//../metrics',
      '/metrics/',
      '/admin/v1/accounts/',
      '/operator/',
      '/admin/v1/keys/x/',
      '/docs//',
    ])
      expect({ target, status: await statusOf(target), reached }).toEqual({
        target,
        status: 404,
        reached: [],
      });
    for (const target of ['/docs/', '/v1/models/', '/v1/models/x/', '/', '/docs', '/docs?x=/../\\%2f'])
      expect({ target, status: await statusOf(target), reached: reached.length }).toEqual({
        target,
        status: 200,
        reached: 1,
      });
  });

  test('the id of a model can have an encoded slash', async () => {
    const paths = ['/v1/models/', '/v1beta/models/', '/models/', '/admin/v1/catalog/', '/admin/v1/models/'];
    for (const path of paths)
      expect({ path, status: await statusOf(`${path}a%2Fb`) }).toEqual({ path, status: 200 });
    const dotted = await fetch(`${server.url}/v1/models/.a%2Fb.c..d`);
    expect(await dotted.json()).toEqual({ id: '.a/b.c..d' });
  });

  test('the refusal names the right path', async () => {
    const answer = await fetch(`${server.url}//v1//chat/completions`);
    expect(answer.status).toBe(404);
    expect(await answer.text()).toContain('/v1/chat/completions does.');
  });

  test('only those of 2,000 spellings reach an operator whose path is spelled as the route is', async () => {
    reached = [];
    const spellings = pathSpellings(2_000);
    await sendTargets(spellings, { port: server.port, host: 'gateway.example' });
    const exact = spellings
      .map((spelling) => spelling.replace(/^http:\/\/a(?=\/)/, '').replace(/\?.*/, ''))
      .filter((path) => isForOperators(path) && ROUTES.includes(path));
    expect(exact.length).toBeGreaterThan(4);
    expect(reached.filter(isForOperators).sort()).toEqual(exact.sort());
  });
});
