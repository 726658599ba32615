import { afterAll, describe, expect, test } from 'bun:test';
import { catalogue } from '../../base/errors/catalogue.ts';
import { PreparedPage } from './prepared-page.ts';
import { startDocsServer } from './testing/start-docs-server.ts';

const plain = await startDocsServer();
const branded = await startDocsServer({
  yaml: 'brand: acme\nserver: { public_url: "https://models.example/a<b/" }\n',
  isSimulated: true,
});
const proxied = await startDocsServer({ yaml: 'server: { trusted_proxies: [127.0.0.1] }\n' });
afterAll(async () => {
  await plain.close();
  await proxied.close();
  await branded.close();
});

const text = async (path: string, server = plain): Promise<string> => (await server.get(path)).text();
const hash = (content: string) => `'sha256-${Bun.CryptoHasher.hash('sha256', content, 'base64')}'`;
const contentsOf = (page: string, tag: string): string[] =>
  [...page.matchAll(new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`, 'g'))].map(([, content]) => content!);

describe('the pages [ADM-18]', () => {
  for (const path of ['/docs', '/openapi.json', '/docs.md', '/llms.txt']) {
    test(`${path} is served, with 304 for a request with its etag`, async () => {
      const first = await plain.get(path);
      expect(first.status).toBe(200);
      const etag = first.headers.get('etag')!;
      const second = await plain.get(path, { 'if-none-match': `"other", W/${etag}` });
      expect(second.status).toBe(304);
      expect(await second.text()).toBe('');
      expect((await plain.get(path, { 'if-none-match': etag, host: 'other.test' })).status).toBe(200);
    });
  }

  test('are compressed once for an encoding and for the first addresses that clients name', async () => {
    const encodingOf = async (host: string, accepted: string) => {
      const answer = await plain.get('/openapi.json', { host, 'accept-encoding': accepted });
      return [answer.headers.get('content-encoding'), (await answer.arrayBuffer()).byteLength] as const;
    };
    const [none, whole] = await encodingOf('gate.test', '');
    const [gzip, smaller] = await encodingOf('gate.test', 'gzip');
    const [br] = await encodingOf('gate.test', 'gzip, br');
    expect({ none, gzip, br }).toEqual({ none: null, gzip: 'gzip', br: 'br' });
    expect(smaller).toBeLessThan(whole / 4);
    const hosts = Array.from({ length: 9 }, (_, index) => `host-${index}.test`);
    const encodings: (string | null)[] = [];
    for (const host of hosts) encodings.push((await encodingOf(host, 'gzip'))[0]);
    expect(encodings.filter((encoding) => encoding === 'gzip').length).toBeLessThan(4);
    expect(encodings.at(-1)).toBeNull();
    const page = new PreparedPage({ headers: {}, text: 'at {origin}' });
    const made = page.at('http://a');
    const [[, first], [, second]] = [await page.bytesOf(made, 'br'), await page.bytesOf(made, 'br')];
    expect(first).toBe(second);
  });

  for (const path of ['/docs', '/openapi.json', '/docs.md', '/llms.txt']) {
    test(`${path} has the address that a trusted proxy reports, but nobody else`, async () => {
      const reported = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'models.example' };
      const read = async (server: typeof plain) => (await server.get(path, reported)).text();
      expect(await read(proxied)).toContain('https://models.example');
      expect(await read(plain)).not.toContain('models.example');
    });
  }

  test('are built once for each configuration, even if the address changes', () => {
    let texts = 0;
    const page = new PreparedPage({
      headers: {},
      get text() {
        texts++;
        return 'curl {origin}/v1, or {origin}/docs – {other}';
      },
    });
    const read = (origin: string) => new TextDecoder().decode(page.at(origin).body);
    expect(read('http://a')).toBe('curl http://a/v1, or http://a/docs – {other}');
    expect(read('http://b')).toBe('curl http://b/v1, or http://b/docs – {other}');
    expect(page.at('http://b').body).toBe(page.at('http://b').body);
    const etags = ['http://a', 'http://b', 'http://a'].map((origin) => page.at(origin).etag);
    expect(etags[0]).toBe(etags[2]!);
    expect(etags[0]).not.toBe(etags[1]!);
    expect(texts).toBe(1);
  });

  for (const path of ['/docs']) {
    test(`${path} runs only its own script and loads no other resource`, async () => {
      const answer = await plain.get(path);
      const page = await answer.text();
      const policy = answer.headers.get('content-security-policy')!;
      expect(policy).toStartWith("default-src 'none'; ");
      expect(policy).not.toContain('unsafe');
      expect(contentsOf(page, 'script').map(hash)).toEqual([/script-src (\S+);/.exec(policy)![1]!]);
      expect(contentsOf(page, 'style').map(hash)).toEqual([/style-src (\S+);/.exec(policy)![1]!]);
      expect(page).not.toMatch(/<[^>]+ (on\w+|style|src)=|<link[^>]+href="(?!data:)|@import|url\(/);
      expect(answer.headers.get('x-frame-options')).toBe('DENY');
      expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    });

    test(`${path} has a language, a title, landmarks, one h1, unique ids and valid references`, async () => {
      const page = await text(path);
      expect(page).toContain('<html lang="en">');
      for (const tag of ['title', 'header', 'main', 'h1'])
        expect(page.match(new RegExp(`<${tag}[ >]`, 'g'))).toHaveLength(1);
      const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
      expect(new Set(ids).size).toBe(ids.length);
      for (const [, id] of page.matchAll(/ (?:href="#|for="|aria-labelledby="|aria-describedby=")([^"]+)"/g))
        expect(ids).toContain(id);
    });

    test(`${path} contains no unfilled placeholder`, async () => {
      expect((await text(path)).match(/\{(origin|brand|model)\}/g)).toBeNull();
    });
  }

  test('the documentation lists every endpoint and every error', async () => {
    const page = await text('/docs');
    for (const { path } of plain.routes) expect(page).toContain(`<code>${path.replace('*}', '}')}</code>`);
    for (const code of Object.keys(catalogue)) expect(page).toContain(`<tr id="error-${code}"`);
  });

  test('the quick start shows samples only for existing endpoints', async () => {
    const page = await text('/docs');
    expect(page).toContain('pip install openai');
    expect(page).not.toContain('pip install anthropic');
  });

  test('examples use the address that the client connected to', async () => {
    expect(await text('/docs')).toContain('http://gate.test/v1');
    expect(JSON.parse(await text('/openapi.json')).servers).toEqual([{ url: 'http://gate.test' }]);
  });

  test('a configured public address takes precedence and is escaped', async () => {
    expect(await text('/docs', branded)).toContain('https://models.example/a&lt;b/v1');
    const { servers } = JSON.parse(await text('/openapi.json', branded));
    expect(servers).toEqual([{ url: 'https://models.example/a<b' }]);
  });

  test('headers, keys and fields use the configured brand [ADM-22]', async () => {
    for (const path of ['/docs', '/openapi.json']) {
      const page = await text(path, branded);
      for (const name of ['x-acme-request-id', 'x-acme-payment-mode', 'x-acme-error-code', 'acme_'])
        expect(page).toContain(name);
      expect(page).not.toMatch(/x-svc-|svc_/);
    }
    const { schemas } = JSON.parse(await text('/openapi.json', branded)).components;
    expect(Object.keys(schemas.Model.properties)).toContain('acme');
  });
});

test('/docs.md has every operation of /openapi.json with its command, /llms.txt the documents', async () => {
  const { paths } = JSON.parse(await text('/openapi.json'));
  const page = await text('/docs.md');
  for (const [path, methods] of Object.entries<object>(paths))
    for (const method of Object.keys(methods))
      expect(page).toContain(`### ${method.toUpperCase()} ${path}\n`);
  expect(page).toContain('| `model` | string');
  expect(page).toContain('curl http://gate.test/v1/chat/completions');
  for (const code of Object.keys(catalogue)) expect(page).toContain(`| \`${code}\` |`);
  expect(page).not.toMatch(/\{(brand|origin|model)\}/);
  const index = await text('/llms.txt');
  expect(index).toStartWith('# Tollgate\n\n> ');
  for (const path of ['/docs.md', '/openapi.json', '/v1/models', '/docs'])
    expect(index).toContain(`(http://gate.test${path})`);
});
