import { expect, test } from 'bun:test';
import { callDashboard, PASSWORD, signInWithPassword } from './sign-in.ts';
import { openWorkGateway } from './work-gateway.ts';

const { server, owner, account, at, invite } = await openWorkGateway({
  limits: { keys_per_organization: 4, members_per_organization: 3, invitations_per_organization: 2 },
});
const LIMIT = [409, 'limit_reached'];
const outcome = ({ status, headers }: { status: number; headers: Headers }) => [
  status,
  headers.get('x-svc-error-code'),
];

test('an organization creates keys up to its limit, and revoked and expired keys do not count', async () => {
  const create = (body: object = {}) => owner.call(at('/keys'), { body });
  const made = await create({ expires_at: new Date(Date.now() + 60_000).toISOString() });
  expect(made.status).toBe(201);
  const outcomes = await Promise.all([create(), create(), create()]);
  expect(outcomes.map(outcome).toSorted()).toEqual([[201, null], LIMIT, LIMIT]);
  expect(outcome(await server.admin('POST', `/accounts/${account}/keys`, {}))).toEqual(LIMIT);
  await server.admin('DELETE', `/keys/${made.body.key.id}`);
  expect((await server.admin('POST', `/accounts/${account}/keys`, {})).status).toBe(201);
  expect(outcome(await create())).toEqual(LIMIT);
});

test('open invitations and members of an organization have limits, even on the admin API', async () => {
  const link = await invite('third@ours.example', 'viewer');
  await invite('fourth@ours.example', 'viewer');
  const body = { email: 'fifth@ours.example', role: 'viewer' };
  expect(outcome(await owner.call(at('/invitations'), { body }))).toEqual(LIMIT);
  expect(outcome(await server.admin('POST', `/accounts/${account}/invitations`, body))).toEqual(LIMIT);
  const again = { email: 'fourth@ours.example', role: 'developer' };
  const other = await server.admin('POST', `/accounts/${account}/invitations`, again);
  expect(other.status).toBe(201);
  const signUp = (email: string, from: string) => {
    const invitation = decodeURIComponent(from.split('#token=')[1]!);
    return callDashboard(server, '/session/sign-up', {
      body: { email, name: email, password: PASSWORD, invitation },
    });
  };
  expect((await signUp('third@ours.example', link)).status).toBe(200);
  expect(outcome(await signUp('fourth@ours.example', other.body.link))).toEqual(LIMIT);
  const members = await owner.call(at('/members'));
  expect(members.body.data).toHaveLength(3);
  expect((await signInWithPassword(server, 'third@ours.example')).cookie).not.toBe('');
});
