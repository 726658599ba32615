import { askProxy } from './ask-proxy.mjs';
import { pathSpellings } from './path-spellings.mjs';
import { sendTargets } from './send-targets.mjs';

/** A stream that is buffered never begins, since the upstream keeps its end. */
const FIRST_PART_MS = 20_000;
/** The number of spellings of operators' addresses that are tried. */
const SPELLINGS = 2_000;
/** The metrics of the requests that reached a route for operators. */
const OPERATORS_SERIES =
  /^tollgate_requests_total\{.*route="(\/(?:admin|metrics|operator|dashboard\/v1\/operator)[^"]*)".*\} (\d+)$/gm;

const bearer = (token) => ({ authorization: `Bearer ${token}`, 'content-type': 'application/json' });

const chat = (target, key, { fields = {}, ...options } = {}) =>
  askProxy(target, '/v1/chat/completions', {
    method: 'POST',
    ...options,
    headers: { ...bearer(key), ...options.headers },
    body: JSON.stringify({ model: 'test-model', messages: [{ role: 'user', content: 'Hello' }], ...fields }),
  });

async function createFreeKey({ url, adminToken }) {
  const create = async (path, body) => {
    const init = { method: 'POST', headers: bearer(adminToken), body: JSON.stringify(body) };
    const answer = await fetch(`${url}/admin/v1${path}`, init);
    if (answer.status !== 201) throw new Error(`POST ${path} answered ${answer.status}`);
    return answer.json();
  };
  const { id } = await create('/accounts', { name: 'Proxied', plan: 'free' });
  return (await create(`/accounts/${id}/keys`, {})).key;
}

/** The first part of a stream must arrive while the upstream keeps the rest. */
async function findBuffering({ target, gateway, upstream }) {
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    upstream.release();
  }, FIRST_PART_MS);
  const answer = await chat(target, gateway.firstKey, {
    fields: { stream: true },
    onPart: (text) => text.includes('first') && upstream.release(),
  });
  clearTimeout(timer);
  if (isLate) return `a stream is buffered (${answer.status}): ${answer.text.slice(0, 200)}`;
  const isWhole = answer.text.includes('first') && answer.text.includes('[DONE]');
  return isWhole ? undefined : `a stream is cut (${answer.status}): ${answer.text.slice(-200)}`;
}

/**
 * The Free plan of the gateway allows one request per minute and client network, so the status shows which
 * address counts.
 */
async function findWrongAddress({ target, gateway }) {
  const key = await createFreeKey(gateway);
  const statuses = [];
  const forged = { 'x-forwarded-for': '203.0.113.9' };
  for (const [from, headers] of [
    ['127.0.0.2', {}],
    ['127.0.0.2', forged],
    ['127.0.0.3', {}],
  ])
    statuses.push((await chat(target, key, { from, headers })).status);
  return statuses.join() === '200,429,200'
    ? undefined
    : `the gateway does not see the client's address: requests of one client, the same with a forged header, and another answered ${statuses}`;
}

/** Links must have the address that the client used, whatever headers the client sends. */
async function findWrongLinks({ target }) {
  const forged = { 'x-forwarded-proto': 'http', 'x-forwarded-host': 'evil.example' };
  const expected = `https://${target.host}:${target.port}`;
  for (const headers of [{}, forged]) {
    const { text } = await askProxy(target, '/openapi.json', { headers });
    const [{ url }] = JSON.parse(text).servers;
    if (!(url === expected || url === `${expected}/`)) return `links lead to ${url} instead of ${expected}`;
  }
  return undefined;
}

/** Counts the requests that reached a route for operators, without those for the metrics themselves. */
async function countOperatorRequests({ url, adminToken }) {
  const answer = await fetch(`${url}/metrics`, { headers: bearer(adminToken) });
  const reached = new Map();
  for (const [, route, count] of (await answer.text()).matchAll(OPERATORS_SERIES))
    reached.set(route, (reached.get(route) ?? 0) + Number(count));
  return reached;
}

/** No spelling of an operator's address passes the proxy and reaches a route for operators. */
async function findOpenPaths({ target, gateway }) {
  const headers = bearer(gateway.adminToken);
  const direct = await fetch(`${gateway.url}/admin/v1/accounts`, { headers });
  if (direct.status !== 200) return `the gateway itself answers ${direct.status} to the admin token`;
  const before = await countOperatorRequests(gateway);
  if (before.size === 0) return 'the metrics do not count the requests of operators';
  const statuses = await sendTargets(pathSpellings(SPELLINGS), { ...target, headers });
  const after = await countOperatorRequests(gateway);
  const open = [...after].filter(
    ([route, count]) => count - (before.get(route) ?? 0) > (route === '/metrics' ? 1 : 0),
  );
  if (open.length > 0) return `not closed: ${open.map(([route]) => route).join(', ')}`;
  const answered = statuses.filter((status) => status > 0).length;
  return answered < SPELLINGS / 2 ? `only ${answered} of ${SPELLINGS} spellings were answered` : undefined;
}

/**
 * A body above the proxies' usual limits must reach the gateway, whose refusals have the form of the dialect.
 */
async function findRefusedBody({ target, gateway }) {
  const messages = [{ role: 'user', content: 'x'.repeat(4_000_000) }];
  const answer = await chat(target, gateway.firstKey, { fields: { messages } });
  const isOurs = String(answer.headers['content-type']).startsWith('application/json');
  return isOurs ? undefined : `a body of 4 MB gets an answer of the proxy: ${answer.status}`;
}

const checks = [findBuffering, findWrongAddress, findWrongLinks, findOpenPaths, findRefusedBody];

/** Returns what is wrong with the answers behind a proxy, one line for each problem. */
export async function findProxyProblems(setup) {
  const problems = [];
  for (const check of checks) problems.push(await check(setup));
  return problems.filter((problem) => problem !== undefined);
}
