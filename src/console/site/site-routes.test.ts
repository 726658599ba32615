import { expect, test } from 'bun:test';
import type { Refusal } from '../../base/errors/refusal.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { Reply } from '../../edge/http/reply.ts';
import { sampleExchange } from '../../edge/http/testing/sample-exchange.ts';
import { sampleSnapshot } from '../../settings/snapshot/testing/sample-snapshot.ts';
import { ASSETS, type Site } from './build-site.ts';
import { pagePaths } from './page-paths.ts';
import { siteRoutes } from './site-routes.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const file = { type: 'text/javascript', in: async (encoding: string) => bytes(encoding) };
const site: Site = {
  files: new Map([
    ['main-1.js', file],
    ['main-2.css', file],
  ]),
  script: 'main-1.js',
  parts: ['part-3.js'],
  style: 'main-2.css',
};

type Place = { publicUrl?: string | null; listener?: Exchange['listener'] };

function open(build: () => Promise<Site>, { publicUrl = null, listener }: Place = {}) {
  const routes = siteRoutes(build);
  const failures: unknown[] = [];
  const get = async (path: string, headers: Record<string, string> = {}, params = {}) => {
    const exchange = sampleExchange({
      request: new Request('http://x/', { headers }),
      params,
      listener,
      snapshot: sampleSnapshot(`server: { public_url: ${publicUrl} }`),
      reportFailure: (error) => void failures.push(error),
    });
    return routes.find((route) => route.path === path)!.handle(exchange);
  };
  const getFile = (name: string, headers?: Record<string, string>) =>
    get(`${ASSETS}{file}`, headers, { file: name });
  return { routes, failures, get, getFile };
}

test('the pages are built once, at the first request', async () => {
  let builds = 0;
  const { routes, get, getFile } = open(async () => {
    builds++;
    return site;
  });
  expect(builds).toBe(0);
  await Promise.all([get('/'), get('/keys'), getFile('main-1.js')]);
  expect(builds).toBe(1);
  expect(routes.filter(({ isPage }) => isPage).map(({ path }) => path)).toEqual([...pagePaths]);
});

test('a page that is revalidated names its script and its style without anything inline', async () => {
  const { get } = open(async () => site);
  const { status, body, headers } = (await get('/usage')) as Reply;
  expect(status).toBe(200);
  expect(body).toContain('src="/assets/main-1.js"');
  expect(body).toContain('href="/assets/main-2.css"');
  expect(body).toContain('<link rel="modulepreload" href="/assets/part-3.js">');
  expect(body).not.toMatch(/<style|<script(?! type="module" src=)| on\w+=| style=/);
  expect(headers!['content-security-policy']).toStartWith(
    "default-src 'none'; script-src 'self'; style-src 'self';",
  );
  expect(headers!['content-security-policy']).not.toContain('unsafe');
  expect(headers).toMatchObject({ 'cache-control': 'no-cache', 'referrer-policy': 'no-referrer' });
  const again = (await get('/usage', { 'if-none-match': headers!['etag']! })) as Reply;
  expect({ status: again.status, body: again.body }).toEqual({ status: 304, body: null });
});

test('a file is kept by browsers for ever in the encoding that they accept', async () => {
  const { getFile } = open(async () => site);
  const sent = async (encoding: string) => {
    const { body, headers } = (await getFile('main-1.js', { 'accept-encoding': encoding })) as Reply;
    return [new TextDecoder().decode(body as Uint8Array), headers!['content-encoding']];
  };
  expect(await sent('gzip, br')).toEqual(['br', 'br']);
  expect(await sent('gzip')).toEqual(['gzip', 'gzip']);
  expect(await sent('identity')).toEqual(['plain', undefined]);
  const { headers } = (await getFile('main-2.css')) as Reply;
  expect(headers).toMatchObject({
    'cache-control': 'public, max-age=31536000, immutable',
    vary: 'accept-encoding',
  });
  expect(((await getFile('main-0.js')) as Refusal).code).toBe('not_found');
});

test('a failed build shows a plain page until a later try', async () => {
  let isBroken = true;
  const { get, failures } = open(async () => {
    if (isBroken) throw new Error('no space left');
    return site;
  });
  const broken = (await get('/keys')) as Reply;
  expect(broken.status).toBe(500);
  expect(broken.body).toContain('The dashboard is not available');
  expect(String(failures)).toContain('no space left');
  isBroken = false;
  expect(((await get('/keys')) as Reply).status).toBe(200);
});

test("the files and links of a page begin with the path of the server's public address", async () => {
  const publicUrl = 'https://example.com/gateway/';
  const { body } = (await open(async () => site, { publicUrl }).get('/usage')) as Reply;
  expect(body).toContain('<html lang="en" data-base="/gateway">');
  for (const [, address] of String(body).matchAll(/ (?:src|href)="(\/[^"]*)"/g))
    expect(address).toStartWith('/gateway/');
  expect(body).toContain('src="/gateway/assets/main-1.js"');
  const own = (await open(async () => site, { publicUrl, listener: 'operators' }).get('/usage')) as Reply;
  expect(own.body).toContain('src="/assets/main-1.js"');
});
