import { createServer } from 'node:net';
import { resolve } from 'node:path';
import type { Config } from '../../../settings/config/config-schema.ts';
import { listenAddressOf } from '../../../settings/config/listen-address.ts';
import { isInUse } from './check-store.ts';
import { type Check, type Finding, fail, ok } from './finding.ts';

const CHECK = 'port';

export const checkPort: Check = async ({ config }) => {
  const { host, port, admin_listen } = config.server;
  const found = [await findingOf(config, { host, port })];
  if (admin_listen === null) return found;
  const { hostname, port: adminPort } = listenAddressOf(admin_listen);
  const mend = 'choose another server.admin_listen';
  return [...found, await findingOf(config, { host: hostname, port: adminPort, mend })];
};

type ListenAddress = { host: string; port: number; mend?: string };

async function findingOf(config: Config, { host, port, mend }: ListenAddress): Promise<Finding> {
  const address = `${host}:${port}`;
  const code = await tryToListen(host, port);
  if (code === undefined) return ok(CHECK, port === 0 ? 'any free port will be used' : `${address} is free`);
  if (code === 'EADDRINUSE' && isInUse(resolve(config.store.data_dir))) {
    return ok(CHECK, `${address} is in use, and a server is running on the data directory`);
  }
  const wording = wordings[code] ?? {
    message: `is not available for listening (${code})`,
    mend: 'choose another --port or --host',
  };
  return fail(CHECK, `${address} ${wording.message}`, mend ?? wording.mend);
}

const wordings: Record<string, { message: string; mend: string }> = {
  EADDRINUSE: {
    message: 'is in use by another program',
    mend: 'stop that program, or choose another --port',
  },
  EACCES: { message: 'needs more privileges', mend: 'choose a --port of 1024 or above' },
  EADDRNOTAVAIL: { message: 'is not an address of this machine', mend: 'choose another --host' },
  ENOTFOUND: { message: 'is not a known address', mend: 'choose another --host' },
};

function tryToListen(host: string, port: number): Promise<string | undefined> {
  return new Promise((done) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => done(error.code ?? error.message));
    server.listen({ host, port, exclusive: true }, () => server.close(() => done(undefined)));
  });
}
