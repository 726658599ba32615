import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { type Answer, bearer, type CallOptions, call, type Json } from '../../support/call.ts';
import { endWithUs } from '../../support/end-with-us.ts';
import { waitFor } from '../../support/wait-for.ts';

const START_MS = 60_000;

type ReleaseStart = {
  /** The source tree of the release, with its packages. */
  tree: string;
  dataDirectory: string;
  config: object;
  databaseUrl?: string | undefined;
  adminToken?: string | undefined;
  port?: number;
};

/** Starts the program of a release on a data directory. */
export async function startRelease({
  tree,
  dataDirectory,
  config,
  databaseUrl,
  adminToken,
  port = 0,
}: ReleaseStart) {
  mkdirSync(dataDirectory, { recursive: true, mode: 0o700 });
  const configFile = `${dataDirectory}.yaml`;
  writeFileSync(configFile, stringify(config));
  rmSync(join(dataDirectory, 'address'), { force: true });
  const options = ['--port', String(port), '--data', dataDirectory, '--config', configFile];
  const child = Bun.spawn([join(tree, 'bin', 'tollgate'), 'serve', ...options], {
    env: {
      PATH: process.env.PATH ?? '',
      HOME: process.env.HOME ?? '',
      TOLLGATE_LOCAL_SERVERS: 'off',
      ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
      ...(adminToken !== undefined && { TOLLGATE_ADMIN_TOKEN: adminToken }),
    },
    stdin: 'ignore',
    stdout: Bun.file(`${dataDirectory}.log`),
    stderr: Bun.file(`${dataDirectory}.log`),
  });
  endWithUs(child);
  const read = (name: string): string => {
    const path = join(dataDirectory, name);
    return existsSync(path) ? readFileSync(path, 'utf8').trim() : '';
  };
  const isReady = async () => {
    if (child.exitCode !== null) throw new Error(`the release did not start: see ${dataDirectory}.log`);
    const address = read('address');
    return address !== '' && (await call(`${address}/readyz`).catch(() => undefined))?.status === 200;
  };
  await waitFor(isReady, START_MS);
  const url = read('address');
  const token = adminToken ?? read('admin-token');
  return {
    url,
    adminToken: token,
    exited: child.exited,
    signal: (name: NodeJS.Signals) => child.kill(name),
    call: (path: string, callOptions?: CallOptions) => call(url + path, callOptions),
    admin: (method: string, path: string, body?: unknown): Promise<Answer> =>
      call(`${url}/admin/v1${path}`, {
        method,
        headers: bearer(token),
        ...(body !== undefined && { body }),
      }),
    async end(name: NodeJS.Signals): Promise<void> {
      child.kill(name);
      await child.exited;
    },
  };
}

/** The parts of a server of any version that the generators and the tests use. */
export type AnyServer = {
  url: string;
  adminToken: string;
  call(path: string, options?: CallOptions): Promise<Answer>;
  admin(method: string, path: string, body?: unknown): Promise<Answer>;
};

/** Returns the body of an answer. Throws if the status is not the expected one. */
export function bodyOf({ status, text, body }: Answer, expected: readonly number[] = [200, 201]): Json {
  if (!expected.includes(status)) throw new Error(`a request answered ${status}: ${text}`);
  return body;
}

/** The endpoints of messages take the key in a header of their own. */
export const authOf = (path: string, key: string): Record<string, string> =>
  path.startsWith('/v1/messages') ? { 'x-api-key': key } : bearer(key);
