import { resolve } from 'node:path';
import { listenFaultOfCode } from '../../../edge/http/listen-fault-of.ts';
import { tryToListen } from '../../../edge/http/try-to-listen.ts';
import type { Config } from '../../../settings/config/config-schema.ts';
import { listenAddressOf } from '../../../settings/config/listen-address-of.ts';
import { isInUse } from '../is-in-use.ts';
import type { Check } from './check.ts';
import { type Finding, fail, ok } from './finding.ts';

const CHECK = 'port';

/** Checks that the addresses to listen on are free, or that the running server uses them. */
export const checkPort: Check = async ({ config }) => {
  const { host, port, admin_listen } = config.server;
  const main = await findingOf(config, { host, port });
  if (admin_listen === null) return [main];
  const { hostname, port: adminPort } = listenAddressOf(admin_listen);
  const mend = 'choose another server.admin_listen';
  return [main, await findingOf(config, { host: hostname, port: adminPort, mend })];
};

/** An address of the server. `mend` replaces the usual remedy, which names options of the command. */
type ListenAddress = { host: string; port: number; mend?: string };

async function findingOf(config: Config, { host, port, mend }: ListenAddress): Promise<Finding> {
  const address = `${host}:${port}`;
  const code = await tryToListen(host, port);
  if (code === undefined) return ok(CHECK, port === 0 ? 'any free port will be used' : `${address} is free`);
  if (code === 'EADDRINUSE' && isInUse(resolve(config.store.data_dir))) {
    return ok(CHECK, `${address} is in use, and a server is running on the data directory`);
  }
  const { message, usualMend } = listenFaultOfCode(code);
  return fail(CHECK, `${address} ${message}`, mend ?? usualMend);
}
