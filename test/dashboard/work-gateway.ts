import { afterAll } from 'bun:test';
import { serveSimulator } from '../../src/simulator/serving/serve-simulator.ts';
import type { Json } from '../support/call.ts';
import { startServer } from '../support/start-server.ts';
import { ableModel, wirePrefix } from '../support/wire-models.ts';
import {
  callDashboard,
  PASSWORD,
  type SignedInPerson,
  signInAsOperator,
  signInWithPassword,
} from './sign-in.ts';

const wires = ['anthropic-messages', 'openai-chat'] as const;
const on = (wire: (typeof wires)[number], how = '') => [
  { provider: `hidden-${wire}`, model: `hidden-${wire}${how}` },
];

/**
 * Models for the pages that run requests.
 * A provider that counts as a real one answers them, so that they cost credits.
 */
const models = [
  ableModel('able', on('anthropic-messages'), { display_name: 'Able' }),
  ableModel('on-chat', on('openai-chat'), { display_name: 'On chat' }),
  ableModel('blind', on('openai-chat'), { capabilities: { tools: true }, reasoning_efforts: [] }),
  ableModel('slow', on('openai-chat', '!drip-ms=200')),
  ableModel('late', on('openai-chat', '!delay-ms=4000')),
  ableModel('ill', on('openai-chat', '!status=500')),
  ableModel('paid', on('openai-chat'), { plan: 'payg' }),
];

/** Opens a server with people of two organizations, and with keys of both. */
export async function openWorkGateway(config: Record<string, unknown> = {}) {
  const upstream = serveSimulator();
  const providers = wires.map((wire) => ({
    id: `hidden-${wire}`,
    wire,
    base_url: upstream.url + wirePrefix[wire],
  }));
  const server = await startServer({
    config: { providers, catalog: { default: false, models }, ...config },
  });
  afterAll(async () => {
    await server.stop();
    await upstream.stop();
  });
  const operator = await signInAsOperator(server);
  const key = await server.createKey('enterprise');
  const { account } = key;
  const sibling = await server.createKey('enterprise', { account });
  const stranger = await server.createKey('enterprise');
  /** The link of an invitation. */
  const invite = async (email: string, role: string, of = account): Promise<string> =>
    (await operator.call(`/operator/accounts/${of}/invitations`, { body: { email, role } })).body.link;
  const join = async (email: string, role: string, of = account): Promise<SignedInPerson> => {
    const invitation = decodeURIComponent((await invite(email, role, of)).split('#token=')[1]!);
    const body = { email, name: email, password: PASSWORD, invitation };
    await callDashboard(server, '/session/sign-up', { body });
    return signInWithPassword(server, email);
  };
  const people = {
    owner: await join('owner@ours.example', 'owner'),
    viewer: await join('viewer@ours.example', 'viewer'),
    stranger: await join('owner@theirs.example', 'owner', stranger.account),
  };
  const keysNamed = async (name: string, of = account): Promise<Json[]> =>
    (await server.admin('GET', `/accounts/${of}/keys`)).body.data.filter((one: Json) => one.name === name);
  return {
    server,
    people,
    owner: people.owner,
    account,
    key,
    sibling,
    stranger,
    keysNamed,
    invite,
    join,
    /** Returns the path of an organization's routes. */
    at: (path: string, of = account) => `/organizations/${of}${path}`,
  };
}

export type WorkGateway = Awaited<ReturnType<typeof openWorkGateway>>;

/**
 * Returns the statuses of calls by four strangers: nobody, an ended session, an owner of another
 * organization, and a viewer.
 */
export async function strangersAt(
  { server, people, at }: WorkGateway,
  { method = 'GET', path, body }: { method?: string; path: string; body?: unknown },
): Promise<number[]> {
  const options = { method, ...(body !== undefined && { body }) };
  const stale = { cookie: `${people.owner.cookie.split('=')[0]}=stale.session` };
  const answers = [
    await callDashboard(server, at(path), options),
    await callDashboard(server, at(path), { ...options, headers: stale }),
    await people.stranger.call(at(path), options),
    await people.viewer.call(at(path), options),
  ];
  return answers.map(({ status }) => status);
}
