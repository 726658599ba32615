import { callDashboard, signInAsOperator } from '../../dashboard/sign-in.ts';
import { joinOrganization } from '../../dashboard/support/join-organization.ts';
import { bearer, chatBody, type Json } from '../../support/call.ts';
import { messagesBody } from '../../support/messages-body.ts';
import { waitFor } from '../../support/wait-for.ts';
import { type AnyServer, authOf, bodyOf } from './start-release.ts';

/** The resources that were made through the API, with the secrets that later versions must still accept. */
export type Populated = {
  accounts: { id: string; key: string; keyId: string }[];
  keys: { accepted: string[]; revoked: string[] };
  responses: { id: string; key: string }[];
  batches: { path: string; id: string; key: string }[];
  /** A batch that was created with an idempotency key, and its body. */
  repeated: { id: string; key: string; body: Json };
  /** Cookies of people that are signed in. */
  sessions: { email: string; cookie: string }[];
};

const correction = { balance: 'purchased', credits: -1, reason: 'a correction' };
const PLANS = ['starter', 'pro', 'enterprise', 'payg'];
const INPUT = 'Three rivers of the country of Invented, one in each line.';
export const IDEMPOTENCY_KEY = 'the-batch-of-this-month';

/**
 * Fills a new server with accounts, keys, entries, responses and batches.
 * `hasPeople` is true for versions whose dashboard has people.
 */
export async function populate(server: AnyServer, { hasPeople }: { hasPeople: boolean }): Promise<Populated> {
  const made: Populated = {
    accounts: [],
    keys: { accepted: [], revoked: [] },
    responses: [],
    batches: [],
    repeated: { id: '', key: '', body: undefined },
    sessions: [],
  };
  for (const plan of PLANS) await fillAccount(server, made, plan);
  await addKeys(server, made);
  await addBatches(server, made);
  if (hasPeople) await addPeople(server, made);
  return made;
}

async function fillAccount(server: AnyServer, made: Populated, plan: string): Promise<void> {
  const fields = { name: `Account on ${plan}`, email: `${plan}@example.com`, plan };
  const { id } = bodyOf(await server.admin('POST', '/accounts', fields));
  const { id: keyId, key } = bodyOf(await server.admin('POST', `/accounts/${id}/keys`, { name: 'first' }));
  made.accounts.push({ id, key, keyId });
  made.keys.accepted.push(key);
  bodyOf(await server.admin('POST', `/accounts/${id}/purchases`, { usd: 20 }));
  bodyOf(await server.admin('POST', `/accounts/${id}/adjustments`, correction));
  if (plan !== 'payg')
    bodyOf(await server.admin('POST', `/accounts/${id}/grants`, { credits: 25, reason: 'a welcome' }));
  const ask = async (path: string, body: Json) =>
    bodyOf(await server.call(path, { headers: bearer(key), body }));
  for (const model of ['able', 'on-chat']) {
    await ask('/v1/chat/completions', chatBody(model));
    await ask('/v1/messages', messagesBody(model, { max_tokens: 64 }));
    const first = await ask('/v1/responses', { model, input: INPUT, store: true, metadata: { plan } });
    const next = { model, input: 'And the longest?', store: true, previous_response_id: first.id };
    const second = await ask('/v1/responses', next);
    made.responses.push(...[first.id, second.id].map((response: string) => ({ id: response, key })));
  }
  const deleted = await ask('/v1/responses', { model: 'able', input: INPUT, store: true });
  const path = `/v1/responses/${deleted.id}`;
  bodyOf(await server.call(path, { method: 'DELETE', headers: bearer(key) }));
}

/** A key with bounds, a revoked one, and a suspended account. */
async function addKeys(server: AnyServer, made: Populated): Promise<void> {
  const { id } = made.accounts[1]!;
  const bounds = { name: 'bounded', payg: true, monthly_cap_usd: 5, allowed_models: ['able', 'paid'] };
  const bounded = bodyOf(await server.admin('POST', `/accounts/${id}/keys`, bounds));
  const paid = { headers: bearer(bounded.key), body: chatBody('paid') };
  bodyOf(await server.call('/v1/chat/completions', paid));
  made.keys.accepted.push(bounded.key);
  const revoked = bodyOf(await server.admin('POST', `/accounts/${id}/keys`, { name: 'revoked' }));
  bodyOf(await server.admin('DELETE', `/keys/${revoked.id}`), [200, 204]);
  const suspended = bodyOf(await server.admin('POST', '/accounts', { name: 'Suspended', plan: 'pro' }));
  const its = bodyOf(await server.admin('POST', `/accounts/${suspended.id}/keys`, {}));
  bodyOf(await server.admin('PATCH', `/accounts/${suspended.id}`, { status: 'suspended' }));
  made.keys.revoked.push(revoked.key, its.key);
}

const items = (count: number, paramsOf: (index: number) => Json): Json[] =>
  Array.from({ length: count }, (_, index) => ({ custom_id: `item-${index}`, params: paramsOf(index) }));

/** Adds two batches that ended, and one that the kill interrupts. */
async function addBatches(server: AnyServer, made: Populated): Promise<void> {
  const { key } = made.accounts[2]!;
  const chat = { requests: items(3, () => chatBody('able')) };
  const messages = { requests: items(3, () => messagesBody('on-chat', { max_tokens: 64 })) };
  const late = { requests: items(12, (index) => chatBody(index < 4 ? 'able' : 'late')) };
  const create = async (path: string, body: Json, headers: Record<string, string> = {}) => {
    const { id } = bodyOf(await server.call(path, { headers: { ...authOf(path, key), ...headers }, body }));
    made.batches.push({ path: `${path}/${id}`, id, key });
    return `${path}/${id}`;
  };
  const named = await create('/v1/batches', chat, { 'idempotency-key': IDEMPOTENCY_KEY });
  made.repeated = { id: made.batches[0]!.id, key, body: chat };
  for (const path of [named, await create('/v1/messages/batches', messages)])
    await waitFor(async () => {
      const view = bodyOf(await server.call(path, { headers: authOf(path, key) }));
      return view.processing_status === 'ended';
    }, 30_000);
  await create('/v1/batches', late);
}

async function addPeople(server: AnyServer, made: Populated): Promise<void> {
  const operator = await signInAsOperator(server);
  const account = made.accounts[1]!.id;
  bodyOf(await server.admin('PATCH', `/accounts/${account}/payload_logging`, { enabled: true }));
  for (const role of ['owner', 'viewer'] as const) {
    const joining = { account, email: `${role}@example.com`, role };
    made.sessions.push(await joinOrganization(server, operator, joining));
  }
  made.sessions.push(operator);
  made.sessions = made.sessions.map(({ email, cookie }) => ({ email, cookie }));
  for (const { cookie } of made.sessions)
    bodyOf(await callDashboard(server, '/session', { headers: { cookie } }));
}
