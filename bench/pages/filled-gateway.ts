import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type SignedInPerson, signInAsOperator, signInWithPassword } from '../../test/dashboard/sign-in.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { wideLimits } from '../../test/support/wide-limits.ts';
import type { ChildProcesses } from '../child-processes.ts';
import { fillGateway } from './fill-gateway.ts';

const EMAIL = 'operator@example.com';
const START_MS = 60_000;
const windows = { requests_per_min: 1_000_000, network_requests_per_min: 1_000_000 };

/** A gateway with many requests, and an operator who is a member of the account `own`. */
export type FilledGateway = { url: string; person: SignedInPerson; own: string };

type GatewaySettings = {
  children: ChildProcesses;
  /** The folder of the configuration and the log. */
  directory: string;
  /** The data directory. One that an earlier run has filled is not filled again. */
  data: string;
  requests: number;
};

export async function startFilledGateway({
  children,
  directory,
  data,
  requests,
}: GatewaySettings): Promise<FilledGateway> {
  /** Exists once every request is answered. */
  const filledMark = join(data, 'filled');
  const isFilled = existsSync(filledMark);
  if (!isFilled && existsSync(join(data, 'tollgate.db')))
    throw new Error(`${data} has been filled only in part. Delete it or choose another directory.`);
  const server = await startGateway(children, directory, data);
  const person = isFilled ? await signInWithPassword(server, EMAIL) : await signInAsOperator(server, EMAIL);
  const own: string = (await person.call('/session')).body.organizations[0].id;
  if (!isFilled) {
    await fillGateway({ ...server, own, requests });
    writeFileSync(filledMark, '');
  }
  return { url: server.url, person, own };
}

async function startGateway(children: ChildProcesses, directory: string, data: string) {
  const config = join(directory, 'tollgate.yaml');
  const logFile = join(directory, 'gateway.log');
  const addressFile = join(data, 'address');
  const read = (file: string): string => (existsSync(file) ? readFileSync(file, 'utf8').trim() : '');
  writeFileSync(config, JSON.stringify({ plans: wideLimits, dashboard: windows }));
  rmSync(addressFile, { force: true });
  const gateway = children.start({
    command: ['bin/tollgate', 'serve', '--port', '0', '--data', data, '--config', config],
    logFile,
  });
  await waitFor(() => read(addressFile) !== '' || gateway.exitCode !== null, START_MS);
  if (gateway.exitCode !== null) throw new Error(`The gateway did not start: ${read(logFile)}`);
  return { url: read(addressFile), adminToken: read(join(data, 'admin-token')) };
}
