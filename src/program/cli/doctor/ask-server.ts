import { resolve } from 'node:path';
import type { Config } from '../../../settings/config/config-schema.ts';
import { askAdmin } from '../call-admin.ts';
import { CommandFailure } from '../command-failure.ts';
import type { Invocation } from '../invocation.ts';
import { isInUse } from '../is-in-use.ts';
import { namesServer, readLine, type ServerAccess, serverAccess } from '../server-access.ts';
import { type Finding, ok, warn } from './finding.ts';
import { asMessage } from './finding-text.ts';

/** The findings of a running server. `configFile` is the file that it uses. */
type ServerAnswer = { configFile: string | null; findings: Finding[] };

/** A live examination can wait for a provider. */
const TIMEOUT_MS = 120_000;

/**
 * Asks the server that the command line names, or the one on the data directory. Returns undefined if there
 * is none.
 */
export async function askServer(
  invocation: Invocation,
  config: Config,
): Promise<ServerAnswer | { unasked: Finding } | undefined> {
  if (namesServer(invocation)) return ask(invocation, serverAccess(invocation));
  const directory = resolve(config.store.data_dir);
  try {
    const access = isInUse(directory) ? accessIn(invocation, directory) : undefined;
    return access === undefined ? undefined : await ask(invocation, access);
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    const message = `the running server cannot be asked (${asMessage(error.message)})`;
    return { unasked: warn('server', message, 'the other checks use the environment of this command') };
  }
}

function accessIn(invocation: Invocation, directory: string): ServerAccess | undefined {
  const address = readLine(directory, 'address');
  const token =
    invocation.text('admin-token') ??
    (invocation.terminal.environment.TOLLGATE_ADMIN_TOKEN || undefined) ??
    readLine(directory, 'admin-token');
  return address === undefined || token === undefined ? undefined : { address, token };
}

async function ask(invocation: Invocation, access: ServerAccess): Promise<ServerAnswer> {
  const key = invocation.flag('live') ? 'POST /doctor/live' : 'GET /doctor';
  const answer = await askAdmin(access, key, { timeoutMs: TIMEOUT_MS });
  const finding = ok('server', `${access.address} answers; the checks use its environment`);
  return { configFile: answer.config_file, findings: [finding, ...answer.findings] };
}
