import { afterAll, expect, test } from 'bun:test';
import { call } from '../support/call.ts';
import { sampleConfig } from '../support/sample-config.ts';
import { startIssuer } from '../support/start-issuer.ts';
import { startServer } from '../support/start-server.ts';
import { callDashboard, cookiesOf, PASSWORD, signInAsOperator } from './sign-in.ts';
import { fullBrowserTest, untilShown, useBrowser } from './support/use-browser.ts';

const PREFIX = '/gateway';

/**
 * A reverse proxy that serves the gateway below a path, which it removes. Everything else is another site.
 */
const proxy = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    const { pathname, search } = new URL(request.url);
    if (!pathname.startsWith(`${PREFIX}/`) && pathname !== PREFIX) {
      strays.push(pathname);
      return new Response('another site', { status: 404 });
    }
    const inner = new URL(server.url + (pathname.slice(PREFIX.length) || '/') + search);
    const { method, headers } = request;
    const body = method === 'GET' ? undefined : await request.arrayBuffer();
    const answer = await fetch(inner, { method, headers, redirect: 'manual', ...(body && { body }) });
    const shown = new Headers(answer.headers);
    shown.delete('content-encoding');
    return new Response(answer.body, { status: answer.status, headers: shown });
  },
});
const publicUrl = `http://127.0.0.1:${proxy.port}${PREFIX}`;
const strays: string[] = [];
const issuer = startIssuer('client');

const provider = { id: 'corp', kind: 'oidc', name: 'Corp', client_id: 'client', client_secret: 'secret' };
const server = await startServer({
  config: {
    ...sampleConfig('http://127.0.0.1:9'),
    server: { public_url: publicUrl },
    dashboard: { providers: [{ ...provider, issuer: issuer.issuer }] },
  },
});
const front = { ...server, url: publicUrl };
afterAll(async () => {
  await server.stop();
  await proxy.stop(true);
  await issuer.stop();
});
const { openPage } = useBrowser(front);
const operator = await signInAsOperator(front);

test('links to hand over and the documentation name the public address with its path', async () => {
  const account = await server.createAccount('pro');
  const invited = await operator.call(`/operator/accounts/${account}/invitations`, {
    body: { email: 'ada@example.com', role: 'developer' },
  });
  expect(invited.body.link).toStartWith(`${publicUrl}/invitation#`);
  const docs = (await call(`${publicUrl}/docs`)).text;
  expect(docs).toContain(`${publicUrl}/v1`);
  expect(docs).not.toMatch(/ (src|href)="\//);
});

test('a sign-in at a provider comes back to the public address', async () => {
  const body = { provider: 'corp', return_to: '/account' };
  const left = await callDashboard(front, '/me/sign-ins', { headers: { cookie: operator.cookie }, body });
  expect(left.status).toBe(200);
  const there = await call(left.body.url);
  const callback = there.headers.get('location')!;
  expect(callback).toStartWith(`${publicUrl}/dashboard/v1/auth/callback/corp?`);
  const cookie = `${operator.cookie}; ${cookiesOf(left)}`;
  const back = await call(callback, { headers: { cookie } });
  expect({ status: back.status, location: back.headers.get('location') }).toEqual({
    status: 302,
    location: expect.stringContaining(publicUrl),
  });
});

fullBrowserTest('the pages work below a path that a proxy removes', async () => {
  const page = await openPage(`${publicUrl}/operator`);
  await page.waitForURL(`**${PREFIX}/sign-in?next=*`);
  await page.getByLabel('Email').fill('operator@example.com');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.waitForURL(`**${PREFIX}/operator`);
  await untilShown(page);
  await page.getByRole('link', { name: 'Nodes' }).first().click();
  await page.waitForURL(`**${PREFIX}/operator/nodes`);
  await page.reload();
  await untilShown(page);
  await page.goBack();
  await page.waitForURL(`**${PREFIX}/operator`);
  await untilShown(page);
  const links = await page.$$eval('a[href^="/"]', (all) => all.map((link) => link.getAttribute('href')!));
  expect(links.length).toBeGreaterThan(5);
  for (const link of links) expect(link).toMatch(/^\/gateway(\/|$)/);
  expect(strays.filter((path) => path !== '/favicon.ico')).toEqual([]);
});
