import { afterAll, beforeAll, expect, test } from 'bun:test';
import { sampleConfig } from '../support/sample-config.ts';
import { startServer } from '../support/start-server.ts';
import {
  callDashboard,
  cookiesOf,
  PASSWORD,
  type SignedInPerson,
  signInAsOperator,
  signInWithPassword,
} from './sign-in.ts';

const server = await startServer({ config: sampleConfig('http://127.0.0.1:9') });
afterAll(() => server.stop());

const token = (link: string): string => decodeURIComponent(link.split('#token=')[1]!);
let operator: SignedInPerson;
let ours = '';
let theirs = '';
const people: Record<string, SignedInPerson> = {};

/** An operator invites somebody, who signs up with the link. */
async function join(account: string, email: string, role: string): Promise<SignedInPerson> {
  const invited = await operator.call(`/operator/accounts/${account}/invitations`, { body: { email, role } });
  const body = { email, name: email, password: PASSWORD, invitation: token(invited.body.link) };
  const joined = await callDashboard(server, '/session/sign-up', { body });
  expect({ status: joined.status, body: joined.body }).toEqual({
    status: 200,
    body: { status: 'signed_in' },
  });
  return signInWithPassword(server, email);
}

beforeAll(async () => {
  operator = await signInAsOperator(server);
  ours = await server.createAccount('pro');
  theirs = await server.createAccount('pro');
  people.owner = await join(ours, 'owner@ours.example', 'owner');
  people.developer = await join(ours, 'developer@ours.example', 'developer');
  people.viewer = await join(ours, 'viewer@ours.example', 'viewer');
  people.stranger = await join(theirs, 'owner@theirs.example', 'owner');
});

test('people come by invitation, and sign-up is closed otherwise', async () => {
  const body = { email: 'x@example.com', name: 'X', password: PASSWORD };
  expect((await callDashboard(server, '/session/sign-up', { body })).status).toBe(403);
  const wrong = await callDashboard(server, '/session/sign-up', { body: { ...body, invitation: 'wrong' } });
  expect(wrong.status).toBe(404);
  expect((await people.owner!.call('/session')).body).toMatchObject({
    person: { email: 'owner@ours.example', email_verified: true },
    organizations: [{ id: ours, role: 'owner' }],
  });
  const account = await server.admin('GET', `/accounts/${ours}`);
  expect(account.body).toMatchObject({ email: 'owner@ours.example', email_verified: true });
});

test('every route of an organization is closed to nobody, to strangers, and to roles that are too weak', async () => {
  const one = `/organizations/${ours}`;
  const routes = [
    { method: 'GET', path: one, least: 'viewer' },
    { method: 'PATCH', path: one, least: 'owner', body: { name: 'Ours' } },
    { method: 'GET', path: `${one}/members`, least: 'viewer' },
    { method: 'PATCH', path: `${one}/members/usr_none`, least: 'owner', body: { role: 'viewer' } },
    { method: 'DELETE', path: `${one}/members/usr_none`, least: 'owner' },
    { method: 'GET', path: `${one}/invitations`, least: 'owner' },
    {
      method: 'POST',
      path: `${one}/invitations`,
      least: 'owner',
      body: { email: 'new@ours.example', role: 'viewer' },
    },
    { method: 'DELETE', path: `${one}/invitations/inv_none`, least: 'owner' },
  ];
  for (const { path, least, ...options } of routes) {
    const title = `${options.method} ${path}`;
    const nobody = await callDashboard(server, path, options);
    expect({ title, status: nobody.status }).toEqual({ title, status: 401 });
    const stranger = await people.stranger!.call(path, options);
    expect({ title, status: stranger.status, isIncluded: stranger.text.includes(ours) }).toEqual({
      title,
      status: 404,
      isIncluded: false,
    });
    const viewer = await people.viewer!.call(path, options);
    expect({ title, status: viewer.status }).toEqual({ title, status: least === 'owner' ? 403 : 200 });
    const developer = await people.developer!.call(path, options);
    expect({ title, status: developer.status }).toEqual({ title, status: least === 'owner' ? 403 : 200 });
    const owner = await people.owner!.call(path, options);
    expect({ title, status: owner.status }).toEqual({ title, status: path.includes('none') ? 404 : 200 });
    const foreign = await people.owner!.call(path, {
      ...options,
      headers: { origin: 'https://evil.example' },
    });
    expect({ title, status: foreign.status }).toEqual({
      title,
      status: options.method === 'GET' ? 200 : 403,
    });
  }
  for (const person of Object.values(people))
    expect((await person.call('/operator/people')).status).toBe(404);
});

test('a change of a role is in force at once, and the last owner stays', async () => {
  const members = (await people.owner!.call(`/organizations/${ours}/members`)).body.data;
  const idOf = (email: string) => members.find((one: { email: string }) => one.email === email).id;
  const owner = idOf('owner@ours.example');
  const developer = idOf('developer@ours.example');
  const path = `/organizations/${ours}/members`;
  const own = await people.owner!.call(`${path}/${owner}`, { method: 'DELETE' });
  expect({ status: own.status, code: own.body.error.code }).toEqual({ status: 409, code: 'conflict' });
  expect(
    (await people.owner!.call(`${path}/${owner}`, { method: 'PATCH', body: { role: 'viewer' } })).status,
  ).toBe(409);
  const promoted = await people.owner!.call(`${path}/${developer}`, {
    method: 'PATCH',
    body: { role: 'owner' },
  });
  expect(promoted.status).toBe(200);
  expect((await people.developer!.call(`/organizations/${ours}/invitations`)).status).toBe(200);
  await people.developer!.call(`${path}/${owner}`, { method: 'PATCH', body: { role: 'viewer' } });
  expect((await people.owner!.call(`/organizations/${ours}/invitations`)).status).toBe(403);
  expect((await server.admin('GET', `/accounts/${ours}`)).body.email).toBe('developer@ours.example');
  expect((await people.owner!.call(`${path}/${owner}`, { method: 'DELETE' })).status).toBe(200);
  expect((await people.owner!.call(`/organizations/${ours}`)).status).toBe(404);
  const audit = (await server.admin('GET', `/audit?target=${ours}`)).body.data;
  expect(audit.map(({ action }: { action: string }) => action)).toEqual(
    expect.arrayContaining(['member-add', 'member-invite', 'member-change', 'member-remove']),
  );
  const change = audit.find(({ action }: { action: string }) => action === 'member-change');
  expect(change.actor).toBe('developer@ours.example');
});

test('a person is in several organizations, and an invitation is for one address', async () => {
  const body = { email: 'developer@ours.example', role: 'viewer' };
  const { link } = (await operator.call(`/operator/accounts/${theirs}/invitations`, { body })).body;
  const preview = await callDashboard(server, '/session/invitation', { body: { token: token(link) } });
  expect(preview.body).toMatchObject({ email: body.email, role: 'viewer', has_person: true });
  const accept = { body: { token: token(link) } };
  expect((await people.stranger!.call('/me/invitations', accept)).status).toBe(403);
  expect((await people.developer!.call('/me/invitations', accept)).body).toEqual({ organization: theirs });
  expect((await people.developer!.call('/me/invitations', accept)).status).toBe(404);
  const { organizations } = (await people.developer!.call('/session')).body;
  expect(organizations.map(({ id }: { id: string }) => id)).toEqual([ours, theirs]);
});

test('the request for a link stays while another organization has an open invitation', async () => {
  const { body: third } = await server.admin('POST', '/accounts', { name: 'Third', plan: 'pro' });
  const body = { email: 'viewer@ours.example', role: 'viewer' };
  const [{ id }] = (await operator.call(`/operator/people?email=${body.email}`)).body.data;
  const requests = async () => (await operator.call(`/operator/people/${id}`)).body.wanted_links;
  const inviteTo = async (account: string) =>
    (await operator.call(`/operator/accounts/${account}/invitations`, { body })).body;
  expect((await people.stranger!.call(`/organizations/${theirs}/invitations`, { body })).status).toBe(200);
  expect(await requests()).toEqual(['invitation']);
  const { link } = await inviteTo(third.id);
  expect(await requests()).toEqual(['invitation']);
  const accepted = await people.viewer!.call('/me/invitations', { body: { token: token(link) } });
  expect(accepted.body).toEqual({ organization: third.id });
  expect(await requests()).toEqual(['invitation']);
  const { id: invitation } = await inviteTo(theirs);
  expect(await requests()).toEqual([]);
  await people.stranger!.call(`/organizations/${theirs}/invitations/${invitation}`, { method: 'DELETE' });
});

test('without mail a link is shown once, to operators alone', async () => {
  const { data } = (await operator.call('/operator/people?email=viewer@ours.example')).body;
  const [{ id }] = data;
  await callDashboard(server, '/session/reset', { body: { email: 'viewer@ours.example' } });
  expect((await operator.call(`/operator/people/${id}`)).body.wanted_links).toEqual(['reset']);
  const made = await operator.call(`/operator/people/${id}/links`, { body: { kind: 'reset' } });
  expect(made.status).toBe(201);
  expect(made.body.link).toContain('/reset#token=');
  expect((await operator.call(`/operator/people/${id}`)).body.wanted_links).toEqual([]);
  const password = 'a password by a link';
  const chosen = { token: token(made.body.link), password };
  expect((await callDashboard(server, '/session/new-password', { body: chosen })).status).toBe(200);
  expect((await people.viewer!.call('/session')).body.person).toBeNull();
  await signInWithPassword(server, 'viewer@ours.example', password);
  expect(server.log()).not.toContain(token(made.body.link));
});

test('operators give and take roles, which are in force at once', async () => {
  const [{ id }] = (await operator.call('/operator/people?email=owner@theirs.example')).body.data;
  const change = (operator_role: string | null) =>
    operator.call(`/operator/people/${id}`, { method: 'PATCH', body: { operator_role } });
  expect((await change('read_only')).body.operator_role).toBe('read_only');
  expect((await people.stranger!.call('/operator/people')).status).toBe(200);
  const invite = { body: { email: 'x@example.com', role: 'viewer' } };
  expect((await people.stranger!.call(`/operator/accounts/${ours}/invitations`, invite)).status).toBe(403);
  expect((await change('operator')).status).toBe(200);
  expect((await people.stranger!.call(`/operator/accounts/${ours}/invitations`, invite)).status).toBe(201);
  const itself = { method: 'PATCH', body: { operator_role: 'owner' } };
  expect((await people.stranger!.call(`/operator/people/${id}`, itself)).status).toBe(403);
  const [boss] = (await operator.call('/operator/people?email=operator@example.com')).body.data;
  const takeover = await people.stranger!.call(`/operator/people/${boss.id}/links`, {
    body: { kind: 'reset' },
  });
  expect(takeover.status).toBe(403);
  expect((await change(null)).body.operator_role).toBeNull();
  expect((await people.stranger!.call('/operator/people')).status).toBe(404);
  const [latest] = (await server.admin('GET', `/audit?action=operator-change&limit=1`)).body.data;
  expect(latest).toMatchObject({ actor: 'operator@example.com', after: { role: null } });
});

test('without mail an operator with the role owner changes an address', async () => {
  const [{ id }] = (await operator.call('/operator/people?email=owner@theirs.example')).body.data;
  const change = (email: string) =>
    operator.call(`/operator/people/${id}`, { method: 'PATCH', body: { email } });
  expect((await change('viewer@ours.example')).status).toBe(409);
  expect((await change('Boss@theirs.example')).body).toMatchObject({
    email: 'boss@theirs.example',
    email_verified: true,
  });
  expect((await server.admin('GET', `/accounts/${theirs}`)).body.email).toBe('boss@theirs.example');
  await signInWithPassword(server, 'boss@theirs.example');
});

test('an operator who is locked out comes back with the admin token', async () => {
  const body = {
    token: server.adminToken,
    email: 'operator@example.com',
    name: 'X',
    password: 'a new long password',
  };
  const back = await callDashboard(server, '/session/admin-token', { body });
  expect(back.body).toEqual({ status: 'signed_in' });
  expect((await operator.call('/me')).status).toBe(401);
  const session = await callDashboard(server, '/session', { headers: { cookie: cookiesOf(back) } });
  expect(session.body.operator_role).toBe('owner');
});
