import { join } from 'node:path';
import { repeatCall, shareOf } from './repeat-call.ts';
import type { StrainedGateway } from './start-strained-gateway.ts';

const PING_MS = 20;
const PAGE_MS = 300;
const QUIET_MS = 4_000;
const FLOOD_MS = 12_000;
const START_MS = 300;
const KEYS = 400;
const REQUESTS = 200;
const PERSON = { email: 'operator@example.com', password: 'a long enough password' };

/** The pages that read the most. */
const PAGES = [
  '/usage?by=user&step=day',
  '/requests?limit=100',
  '/keys?limit=100',
  '/keys/names',
  '/members',
];

async function signIn({ url, token }: StrainedGateway, path: string, from: string): Promise<string> {
  const answer = await fetch(`${url}/dashboard/v1/session/${path}`, {
    method: 'POST',
    headers: { origin: url, 'x-forwarded-for': from },
    body: JSON.stringify(path === 'admin-token' ? { ...PERSON, name: 'Operator', token } : PERSON),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.headers
    .getSetCookie()
    .map((header) => header.split(';')[0]!)
    .join('; ');
}

async function timed(url: string, init: RequestInit): Promise<number> {
  const asked = performance.now();
  const answer = await fetch(url, init);
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`a bystander's request: ${answer.status}`);
  return performance.now() - asked;
}

/** Gives the organization keys and requests, so that its pages have something to show. */
async function fill({ url, token }: StrainedGateway, account: string): Promise<void> {
  const create = (): Promise<Response> =>
    fetch(`${url}/admin/v1/accounts/${account}/keys`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify({ name: 'a key with a name' }),
    });
  const first = (await (await create()).json()) as { key: string };
  for (let made = 1; made < KEYS; made += 20) await Promise.all(Array.from({ length: 20 }, create));
  const body = (user: number) =>
    JSON.stringify({ model: 'whole-0', messages: [{ role: 'user', content: 'hi' }], user: `user-${user}` });
  for (let index = 0; index < REQUESTS; index++)
    await (
      await fetch(`${url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${first.key}` },
        body: body(index),
      })
    ).arrayBuffer();
}

/** Measures small requests with a key, and pages in another session, from another network. */
function bystand({ url, bystander }: StrainedGateway, account: string, cookie: string) {
  const chat = {
    method: 'POST',
    headers: { authorization: `Bearer ${bystander}` },
    body: JSON.stringify({ model: 'whole-0', messages: [{ role: 'user', content: 'hi' }] }),
  };
  const headers = { cookie, 'x-forwarded-for': '192.0.2.1' };
  let asked = 0;
  const page = () => `${url}/dashboard/v1/organizations/${account}${PAGES[asked++ % PAGES.length]}`;
  const requests = repeatCall(() => timed(`${url}/v1/chat/completions`, chat), PING_MS);
  const pages = repeatCall(() => timed(page(), { headers }), PAGE_MS);
  return async () => {
    const [ofRequests, ofPages] = [await requests(), await pages()];
    const both = (sorted: readonly number[]) =>
      `p50 ${shareOf(sorted, 0.5)} ms, p99 ${shareOf(sorted, 0.99)} ms`;
    return `requests ${both(ofRequests)}; pages ${both(ofPages)}`;
  };
}

/** One member reads pages over 40 connections, while a bystander sends requests and reads pages. */
export async function dashboardFlood(gateway: StrainedGateway): Promise<string> {
  const attacker = await signIn(gateway, 'admin-token', '2001:db8:0:100::1');
  const bystander = await signIn(gateway, 'sign-in', '192.0.2.1');
  const session = await fetch(`${gateway.url}/dashboard/v1/session`, { headers: { cookie: attacker } });
  const { organizations } = (await session.json()) as { organizations: { id: string }[] };
  const account = organizations[0]!.id;
  await fill(gateway, account);
  const quiet = bystand(gateway, account, bystander);
  await Bun.sleep(QUIET_MS);
  const before = await quiet();
  const flood = Bun.spawn([process.execPath, join(import.meta.dir, 'flood-dashboard.ts')], {
    env: {
      ...process.env,
      FLOOD_URL: gateway.url,
      FLOOD_COOKIE: attacker,
      FLOOD_PATHS: PAGES.map((page) => `/dashboard/v1/organizations/${account}${page}`).join(' '),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    await Bun.sleep(START_MS);
    const stop = bystand(gateway, account, bystander);
    await Bun.sleep(FLOOD_MS);
    const during = await stop();
    flood.kill();
    const statuses = (await new Response(flood.stdout).text()).trim();
    return `a bystander's ${during} (before: ${before}); the member got ${statuses}`;
  } finally {
    flood.kill();
    await flood.exited;
  }
}
