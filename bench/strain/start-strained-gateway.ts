import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { findFreePort } from '../find-free-port.ts';
import { createKey } from '../peers/tollgate.ts';
import { waitUntilAnswering } from '../wait-until-answering.ts';
import type { Workplace } from '../workplace.ts';
import { formatStrainedConfiguration, type StrainedServer } from './strained-configuration.ts';
import type { Strain } from './watch-strain.ts';

export type StrainedGateway = {
  url: string;
  port: number;
  /** The token of the admin API. */
  token: string;
  /** The key of the attacker. */
  key: string;
  /** The key of another account. */
  bystander: string;
  /** Returns stalls and memory since the last call. */
  strain(): Promise<Strain>;
};

/** Starts the gateway with an upstream of large answers, and watches its event loop and memory. */
export async function startStrainedGateway(
  { children, directory }: Workplace,
  server: StrainedServer = {},
): Promise<StrainedGateway> {
  const upstreamPort = findFreePort();
  const strainPort = findFreePort();
  const port = findFreePort();
  children.start({
    command: [process.execPath, join(import.meta.dir, 'strain-upstream.ts')],
    logFile: join(directory, 'upstream.log'),
    environment: { UPSTREAM_PORT: String(upstreamPort) },
  });
  const configurationFile = join(directory, 'tollgate.yaml');
  await Bun.write(configurationFile, formatStrainedConfiguration(upstreamPort, server));
  const dataDirectory = join(directory, 'data');
  mkdirSync(dataDirectory, { recursive: true });
  const preload = join(import.meta.dir, 'watch-strain.ts');
  const main = join(import.meta.dir, '..', '..', 'src', 'program', 'main.ts');
  const flags = ['--port', String(port), '--data', dataDirectory, '--config', configurationFile];
  const token = crypto.randomUUID();
  const logFile = join(directory, 'serve.log');
  const child = children.start({
    command: [process.execPath, '--preload', preload, main, 'serve', ...flags],
    logFile,
    environment: {
      TOLLGATE_ADMIN_TOKEN: token,
      STRAIN_PORT: String(strainPort),
      TOLLGATE_LOCAL_SERVERS: 'off',
    },
  });
  const url = `http://127.0.0.1:${port}`;
  await waitUntilAnswering({ url: `${url}/healthz`, child, logFile });
  return {
    url,
    port,
    token,
    key: await createKey({ url, token }),
    bystander: await createKey({ url, token }),
    strain: async () => (await fetch(`http://127.0.0.1:${strainPort}`)).json() as Promise<Strain>,
  };
}
