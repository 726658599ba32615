import type { Attack } from './attack.ts';
import { formatTimes, repeatCall, timeRequest } from './bystander.ts';
import { duringFlood } from './during-flood.ts';
import { fillOrganization } from './fill-organization.ts';
import { cookieOf, createOperator, signInOperator } from './operator-session.ts';
import type { StrainedGateway } from './start-strained-gateway.ts';
import { CHAT } from './strained-client.ts';
import { chatBody } from './straining-bodies.ts';

const REQUEST_EVERY_MS = 20;
const PAGE_EVERY_MS = 300;
const QUIET_MS = 4_000;
const FLOOD_MS = 12_000;
const ATTACKER_ADDRESS = '2001:db8:0:100::1';
const BYSTANDER_ADDRESS = '192.0.2.1';

/** The pages that read the most. */
const PAGES = [
  '/usage?by=user&step=day',
  '/requests?limit=100',
  '/keys?limit=100',
  '/keys/names',
  '/members',
];

type Reader = { cookie: string; paths: readonly string[] };

/** Measures small requests with a key, and pages in a session, for some time. */
async function bystand(
  { url, bystander }: StrainedGateway,
  { cookie, paths }: Reader,
  forMs: number,
): Promise<string> {
  const request = {
    method: 'POST',
    headers: { authorization: `Bearer ${bystander}` },
    body: chatBody({ model: 'whole-0' }),
  };
  const headers = { cookie, 'x-forwarded-for': BYSTANDER_ADDRESS };
  let pagesRead = 0;
  const readPage = () => {
    const path = paths[pagesRead % paths.length];
    pagesRead += 1;
    return timeRequest(`${url}${path}`, { headers });
  };
  const stopRequests = repeatCall(() => timeRequest(url + CHAT, request), REQUEST_EVERY_MS);
  const stopPages = repeatCall(readPage, PAGE_EVERY_MS);
  await Bun.sleep(forMs);
  const requestsMs = await stopRequests();
  const pagesMs = await stopPages();
  return `requests ${formatTimes(requestsMs)}; pages ${formatTimes(pagesMs)}`;
}

async function findOrganization({ url }: StrainedGateway, cookie: string): Promise<string> {
  const session = await fetch(`${url}/dashboard/v1/session`, { headers: { cookie } });
  const { organizations } = (await session.json()) as { organizations: [{ id: string }] };
  return organizations[0].id;
}

/** Lets one member read pages over 40 connections, while a bystander sends requests and reads pages. */
export const dashboardFlood: Attack = async (gateway) => {
  const attacker = await cookieOf(await createOperator(gateway, { 'x-forwarded-for': ATTACKER_ADDRESS }));
  const cookie = await cookieOf(await signInOperator(gateway, { 'x-forwarded-for': BYSTANDER_ADDRESS }));
  const organization = await findOrganization(gateway, attacker);
  await fillOrganization(gateway, organization);
  const paths = PAGES.map((page) => `/dashboard/v1/organizations/${organization}${page}`);
  const before = await bystand(gateway, { cookie, paths }, QUIET_MS);
  const environment = {
    FLOOD_URL: gateway.url,
    FLOOD_COOKIE: attacker,
    FLOOD_ADDRESS: ATTACKER_ADDRESS,
    FLOOD_PATHS: paths.join(' '),
  };
  const { result: during, printed: statuses } = await duringFlood(
    { program: 'flood-dashboard.ts', environment },
    () => bystand(gateway, { cookie, paths }, FLOOD_MS),
  );
  return `a bystander's ${during} (before: ${before}); the member got ${statuses}`;
};
