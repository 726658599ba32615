import { afterAll } from 'bun:test';
import { serveSimulator } from '../../src/simulator/serving/serve-simulator.ts';
import type { Json } from '../support/call.ts';
import { startServer } from '../support/start-server.ts';
import { ableModel, wirePrefix } from '../support/wire-models.ts';
import { type SignedInPerson, signInAsOperator } from './sign-in.ts';

const wires = ['anthropic-messages', 'openai-chat'] as const;
const on = (wire: (typeof wires)[number], how = '') => [
  { provider: `hidden-${wire}`, model: `hidden-${wire}${how}` },
];

/** Models for the pages that run requests. A provider that counts as a real one answers them, so that they cost credits. */
const models = [
  ableModel('able', on('anthropic-messages'), { display_name: 'Able' }),
  ableModel('on-chat', on('openai-chat'), { display_name: 'On chat' }),
  ableModel('blind', on('openai-chat'), { capabilities: { tools: true }, reasoning_efforts: [] }),
  ableModel('slow', on('openai-chat', '!drip-ms=200')),
  ableModel('ill', on('openai-chat', '!status=500')),
  ableModel('paid', on('openai-chat'), { plan: 'payg' }),
];

/** A server with a person who owns the first account, and with keys of it and of another account. */
export async function openWorkHouse(config: Record<string, unknown> = {}) {
  const upstream = serveSimulator();
  const providers = wires.map((wire) => ({
    ...{ id: `hidden-${wire}`, wire, base_url: upstream.url + wirePrefix[wire] },
  }));
  const server = await startServer({
    config: { providers, catalog: { default: false, models }, ...config },
  });
  afterAll(async () => {
    await server.stop();
    await upstream.stop();
  });
  const owner = await signInAsOperator(server);
  const account: string = (await owner.call('/session')).body.organizations[0].id;
  const key = await server.createKey('pro', { account });
  const sibling = await server.createKey('pro', { account });
  const stranger = await server.createKey('pro');
  const keysNamed = async (name: string, of = account): Promise<Json[]> =>
    (await server.admin('GET', `/accounts/${of}/keys`)).body.data.filter((one: Json) => one.name === name);
  return {
    ...{ server, owner, account, key, sibling, stranger, keysNamed },
    /** The path of an organization's routes. */
    at: (path: string, of = account) => `/organizations/${of}${path}`,
  };
}

export type WorkHouse = Awaited<ReturnType<typeof openWorkHouse>>;

/** The answers of calls as nobody, as a member of another organization, and from another site's page. */
export async function strangersAt(
  house: WorkHouse,
  { method = 'GET', path, body }: { method?: string; path: string; body?: unknown },
): Promise<number[]> {
  const { server, owner, stranger, at } = house;
  const options = { method, ...(body !== undefined && { body }) };
  const origin = { origin: new URL(server.url).origin };
  const nobody = await server.call(`/dashboard/v1${at(path)}`, { ...options, headers: origin });
  const stale = await server.call(`/dashboard/v1${at(path)}`, {
    ...options,
    headers: { ...origin, cookie: `${owner.cookie.split('=')[0]}=stale.session` },
  });
  const foreign = await owner.call(at(path, stranger.account), options);
  return [nobody.status, stale.status, foreign.status];
}

export type { SignedInPerson };
