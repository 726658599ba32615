import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { findFreePort } from '../find-free-port.ts';
import type { SystemUnderTest } from '../system-under-test.ts';
import { waitUntilAnswering } from '../wait-until-answering.ts';
import { formatTollgateConfiguration } from './format-tollgate-configuration.ts';
import type { PeerInputs } from './peer.ts';

type GatewaySettings = {
  port: number;
  dataDirectory: string;
  configurationFile: string;
  workers: number;
};
/** The command that starts the gateway under test. A test or another build can replace it. */
export type BuildGatewayCommand = (settings: GatewaySettings) => string[];
type TollgateOptions = {
  buildCommand: BuildGatewayCommand;
  hasWholeCatalog: boolean;
  /** By default the gateway has the embedded store. */
  databaseUrl?: string;
  /** More than one worker needs a database. */
  workers?: number;
  /** The folder of the gateway's files, below the directory of the benchmark. */
  folder?: string;
};

const program = join(import.meta.dir, '..', '..', 'bin', 'tollgate');

/** Builds the command that starts the gateway of this checkout. */
export const buildGatewayCommand: BuildGatewayCommand = (settings) => {
  const flags = {
    '--port': String(settings.port),
    '--data': settings.dataDirectory,
    '--config': settings.configurationFile,
    '--workers': String(settings.workers),
  };
  return [program, 'serve', ...Object.entries(flags).flat()];
};

type AdminCall = { url: string; token: string; path: string; body: object };

async function callAdmin({ url, token, path, body }: AdminCall): Promise<{ id: string; key?: string }> {
  const answer = await fetch(`${url}/admin/v1${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(10_000),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`POST /admin/v1${path} answered ${answer.status}: ${text.slice(0, 200)}`);
  return JSON.parse(text);
}

/** The server of a new key, and the plan of the account that the key gets. */
type KeyOrder = { url: string; token: string; plan?: 'enterprise' | 'free' };

/** Creates an account with a key, and returns the key. */
export async function createKey({ url, token, plan = 'enterprise' }: KeyOrder): Promise<string> {
  const account = await callAdmin({
    url,
    token,
    path: '/accounts',
    body: { name: 'Bench', plan },
  });
  const { key } = await callAdmin({
    url,
    token,
    path: `/accounts/${account.id}/keys`,
    body: { name: 'bench' },
  });
  if (key === undefined) throw new Error('the admin API created a key but did not show it');
  return key;
}

/** Starts the gateway as in production: with limits, metering and durable settlement. */
export async function startTollgate(
  { children, upstreamPort, directory }: PeerInputs,
  { buildCommand, hasWholeCatalog, databaseUrl = '', workers = 1, folder = 'tollgate' }: TollgateOptions,
): Promise<SystemUnderTest> {
  const home = join(directory, hasWholeCatalog ? `${folder}-whole-catalog` : folder);
  const dataDirectory = join(home, 'data');
  mkdirSync(dataDirectory, { recursive: true });
  const configurationFile = join(home, 'tollgate.yaml');
  await Bun.write(configurationFile, formatTollgateConfiguration({ upstreamPort, hasWholeCatalog }));
  const port = findFreePort();
  const token = crypto.randomUUID();
  const logFile = join(home, 'serve.log');
  const command = buildCommand({ port, dataDirectory, configurationFile, workers });
  const environment = { TOLLGATE_ADMIN_TOKEN: token, DATABASE_URL: databaseUrl };
  const child = children.start({ command, logFile, environment });
  const url = `http://127.0.0.1:${port}`;
  await waitUntilAnswering({ url: `${url}/healthz`, child, logFile });
  const key = await createKey({ url, token });
  return { name: 'tollgate', pid: child.pid, url, headers: { authorization: `Bearer ${key}` } };
}
