import { createServer } from 'node:net';
import { resolve } from 'node:path';
import { isInUse } from './check-store.ts';
import { type Check, fail, ok } from './finding.ts';

const CHECK = 'port';

export const checkPort: Check = async ({ config }) => {
  const { host, port } = config.server;
  const place = `${host}:${port}`;
  const code = await tryToListen(host, port);
  if (code === undefined) return [ok(CHECK, port === 0 ? 'a free one will be taken' : `${place} is free`)];
  if (code === 'EADDRINUSE' && isInUse(resolve(config.store.data_dir))) {
    return [ok(CHECK, `${place} is taken, and a server is running on the data directory`)];
  }
  const { message, mend } = wordings[code] ?? {
    message: `cannot be listened on (${code})`,
    mend: 'choose another --port or --host',
  };
  return [fail(CHECK, `${place} ${message}`, mend)];
};

const wordings: Record<string, { message: string; mend: string }> = {
  EADDRINUSE: { message: 'is taken by another program', mend: 'stop it, or choose another --port' },
  EACCES: { message: 'needs more rights', mend: 'choose a --port from 1024 on' },
  EADDRNOTAVAIL: { message: 'is no address of this machine', mend: 'choose another --host' },
  ENOTFOUND: { message: 'is no address', mend: 'choose another --host' },
};

function tryToListen(host: string, port: number): Promise<string | undefined> {
  return new Promise((done) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => done(error.code ?? error.message));
    server.listen({ host, port, exclusive: true }, () => server.close(() => done(undefined)));
  });
}
