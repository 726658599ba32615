import { beforeAll, describe, expect, test } from 'bun:test';
import { batchClient, messagesFlavor } from '../support/batch-client.ts';
import { bearer, type Json } from '../support/call.ts';
import { callDashboard, type SignedInPerson, signInWithPassword } from './sign-in.ts';
import { sessionOperatorRoutes, visitorRoutes } from './support/list-routes.ts';
import { openWorkGateway } from './work-gateway.ts';

const gateway = await openWorkGateway();
const { server, people, owner, account, key, stranger } = gateway;

type Row = { method: string; path: string };
type Call = (path: string, options: { method: string; body?: Json }) => Promise<{ status: number }>;

/** Bodies that are valid, for changes of things that the path names. */
const bodies: Readonly<Record<string, Json>> = {
  'PATCH /organizations/{account}/members/{person}': { role: 'viewer' },
  'PATCH /organizations/{account}/keys/{key}': { name: 'taken over' },
  'POST /organizations/{account}/keys/{key}/rotate': {},
  'POST /organizations/{account}/budgets/{budget}/raise': { add_usd: 1, ends_at: '2099-01-01' },
};

const nameOf = ({ method, path }: Row): string => `${method} ${path}`;
const bodyOf = (row: Row): { body?: Json } =>
  row.method === 'GET' || row.method === 'DELETE' ? {} : { body: bodies[nameOf(row)] ?? {} };

/**
 * The things of the first organization by the parameter of the path. A path without one has the id that its
 * folder names.
 */
let things: Record<string, string> = {};
const fill = (path: string, of = account): string =>
  path
    .replace('{account}', of)
    .replace(
      /(\w+)\/\{(\w+)\*?\}/g,
      (_, folder, name) => `${folder}/${things[folder] ?? things[name] ?? 'x'}`,
    );

const statusesOf = async (rows: readonly Row[], call: Call, of?: string): Promise<Record<string, number>> => {
  const answers = await Promise.all(
    rows.map(async (row) => {
      const { status } = await call(fill(row.path, of), { method: row.method, ...bodyOf(row) });
      return [nameOf(row), status] as const;
    }),
  );
  return Object.fromEntries(answers);
};

const all = (rows: readonly Row[], status: number): Record<string, number> =>
  Object.fromEntries(rows.map((row) => [nameOf(row), status]));

const nobody: Call = (path, options) => callDashboard(server, path, options);
let ended: Call;
let operators: Record<'operator' | 'read_only', SignedInPerson>;

const closed = visitorRoutes.filter(({ access }) => access !== 'anyone');
const ofOrganizations = visitorRoutes.filter(({ path }) => path.includes('{account}'));
const changes = (rows: readonly Row[]) => rows.filter(({ method }) => method !== 'GET');

async function makeThings(): Promise<void> {
  const { headers } = await server.chat(key.key, 'able', { max_tokens: 20 });
  const batches = batchClient(server, { flavor: messagesFlavor, key: key.key });
  const batch = (await batches.create(['able'])).id;
  const request = { model: 'able', input: 'Hello', store: true };
  const response = (await server.call('/v1/responses', { headers: bearer(key.key), body: request })).body.id;
  const invitation = await owner.call(gateway.at('/invitations'), {
    body: { email: 'guest@ours.example', role: 'viewer' },
  });
  await batches.ended(batch);
  await server.purchase(account, 20);
  const limits = { scope: 'organization', window: 'month', limit_usd: 1_000 };
  const budget = await owner.call(gateway.at('/budgets'), { body: limits });
  const entries: Json[] = (await owner.call(gateway.at('/billing/entries'))).body.data;
  const prompt = await owner.call(gateway.at('/prompts'), {
    body: { name: 'One', content: { model: 'able', dialect: 'chat', settings: {}, turns: [], text: '' } },
  });
  const person = (await people.viewer.call('/session')).body.person.id;
  things = {
    keys: key.id,
    budgets: budget.body.id,
    batches: batch,
    responses: response,
    members: person,
    requests: headers.get('x-svc-request-id')!,
    invitations: invitation.body.id,
    entries: entries[0]?.id,
    prompts: prompt.body.id,
    models: 'able',
    statements: new Date().toISOString().slice(0, 7),
  };
}

beforeAll(async () => {
  await makeThings();
  const leaving = await signInWithPassword(server, 'owner@ours.example');
  await leaving.call('/session/sign-out', { method: 'POST' });
  ended = leaving.call;
  const createOperator = async (role: 'operator' | 'read_only') => {
    const person = await gateway.join(`${role}@ours.example`, 'owner');
    const { id } = (await person.call('/session')).body.person;
    await server.admin('PATCH', `/people/${id}`, { operator_role: role });
    return person;
  };
  operators = { operator: await createOperator('operator'), read_only: await createOperator('read_only') };
});

describe('every route of the dashboard', () => {
  test('the tables are whole, and these rows alone need no session', () => {
    expect(visitorRoutes.length).toBeGreaterThan(80);
    expect(sessionOperatorRoutes.length).toBeGreaterThan(60);
    expect(visitorRoutes.filter((row) => !closed.includes(row)).map(nameOf)).toEqual([
      'GET /session',
      'POST /session/sign-in',
      'POST /session/two-factor',
      'POST /session/admin-token',
      'POST /session/sign-up',
      'POST /session/sign-out',
      'POST /session/verification',
      'POST /session/reset',
      'POST /session/verify',
      'POST /session/new-password',
      'POST /session/invitation',
      'POST /session/provider',
      'GET /auth/callback/{provider}',
      'GET /welcome',
      'POST /alert-addresses/confirm',
      'GET /statement.css',
    ]);
    for (const { path, access } of visitorRoutes)
      expect({ path, isIncluded: path.includes('{account}') }).toEqual({
        path,
        isIncluded: ['owner', 'developer', 'viewer'].includes(access),
      });
  });

  test('refuses nobody and an ended session', async () => {
    for (const rows of [closed, sessionOperatorRoutes]) {
      expect(await statusesOf(rows, nobody)).toEqual(all(rows, 401));
      expect(await statusesOf(rows, ended)).toEqual(all(rows, 401));
    }
  });

  test('reads no large body of somebody without a session', async () => {
    const open = changes(visitorRoutes).filter(({ access }) => access === 'anyone');
    const withBody = open.filter(({ path }) => path !== '/session/sign-out');
    const body = { padding: 'x'.repeat(20_000) };
    const large: Call = (path, { method }) => callDashboard(server, path, { method, body });
    expect(await statusesOf(withBody, large)).toEqual(all(withBody, 413));
  });

  test('refuses a change that a page of another site asks for', async () => {
    const headers = { origin: 'https://elsewhere.example' };
    const foreign: Call = (path, options) => owner.call(path, { ...options, headers });
    for (const rows of [changes(visitorRoutes), changes(sessionOperatorRoutes)])
      expect(await statusesOf(rows, foreign)).toEqual(all(rows, 403));
  });

  test('does not exist for a member of another organization', async () => {
    expect(await statusesOf(ofOrganizations, people.stranger.call)).toEqual(all(ofOrganizations, 404));
  });

  test('finds nothing of one organization under the address of another one', async () => {
    // Every organization has these, and the content of an unknown request is none.
    const shared = /\/(models|statements|content)\b/;
    const named = ofOrganizations.filter(
      ({ path }) => path.indexOf('{') !== path.lastIndexOf('{') && !shared.test(path),
    );
    expect(named.length).toBeGreaterThan(15);
    expect(Object.values(things).every((id) => typeof id === 'string')).toBe(true);
    expect(await statusesOf(named, people.stranger.call, stranger.account)).toEqual(all(named, 404));
    const content = `/organizations/${stranger.account}/requests/${things.requests}/content`;
    expect((await people.stranger.call(content)).body).toEqual({ logging: false, content: null });
    const reads = named.filter(({ method }) => method === 'GET');
    expect(await statusesOf(reads, owner.call)).toEqual(all(reads, 200));
  });

  test('lets a viewer read, and change nothing', async () => {
    const open = ofOrganizations.filter(({ access, method }) => access === 'viewer' && method === 'GET');
    const shut = ofOrganizations.filter(({ access }) => access !== 'viewer');
    expect(await statusesOf(open, people.viewer.call)).toEqual(all(open, 200));
    expect(await statusesOf(shut, people.viewer.call)).toEqual(all(shut, 403));
    // A viewer can leave, and remove nobody else.
    const rest = ofOrganizations.filter((row) => !open.includes(row) && !shut.includes(row)).map(nameOf);
    expect(rest).toEqual(['DELETE /organizations/{account}/members/{person}']);
    const { id } = (await owner.call('/session')).body.person;
    const removal = await people.viewer.call(gateway.at(`/members/${id}`), { method: 'DELETE' });
    expect(removal.status).toBe(403);
  });

  test('of operators does not exist for others, and obeys the role of an operator', async () => {
    for (const person of [owner, people.viewer])
      expect(await statusesOf(sessionOperatorRoutes, person.call)).toEqual(all(sessionOperatorRoutes, 404));
    for (const [role, { call }] of Object.entries(operators)) {
      const shut = sessionOperatorRoutes.filter((route) => !route.isOpenTo(role as keyof typeof operators));
      expect(shut.length).toBeGreaterThan(0);
      expect(await statusesOf(shut, call)).toEqual(all(shut, 403));
    }
    const readable = sessionOperatorRoutes.filter((route) => route.isOpenTo('read_only'));
    expect(readable.filter(({ method }) => method !== 'GET').map(nameOf)).toEqual([]);
  });
});
