import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type SignedInPerson, signInAsOperator, signInWithPassword } from '../../test/dashboard/sign-in.ts';
import { bearer, call, chatBody, type Json } from '../../test/support/call.ts';
import { wideLimits } from '../../test/support/wide-limits.ts';
import type { ChildProcesses } from '../child-processes.ts';

const ACCOUNTS = 500;
const AT_A_TIME = 64;
const EMAIL = 'operator@example.com';
const windows = { requests_per_min: 1_000_000, network_requests_per_min: 1_000_000 };

/** A gateway with many requests, and an operator who is a member of the account `own`. */
export type FilledGateway = { url: string; person: SignedInPerson; own: string };

type Filling = {
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
}: Filling): Promise<FilledGateway> {
  const isFilled = existsSync(join(data, 'tollgate.db'));
  const config = join(directory, 'tollgate.yaml');
  writeFileSync(config, JSON.stringify({ plans: wideLimits, dashboard: windows }));
  rmSync(join(data, 'address'), { force: true });
  children.start({
    command: ['bin/tollgate', 'serve', '--port', '0', '--data', data, '--config', config],
    logFile: join(directory, 'gateway.log'),
  });
  const read = (name: string): string => readFileSync(join(data, name), 'utf8').trim();
  while (!existsSync(join(data, 'address')) || read('address') === '') await Bun.sleep(50);
  const server = { url: read('address'), adminToken: read('admin-token') };
  const person = isFilled ? await signInWithPassword(server, EMAIL) : await signInAsOperator(server, EMAIL);
  const own: string = (await person.call('/session')).body.organizations[0].id;
  if (!isFilled) await fill(server, own, requests);
  return { url: server.url, person, own };
}

/** Adds accounts with a key each, some with long names. The operator's account sends every tenth request. */
async function fill(
  { url, adminToken }: { url: string; adminToken: string },
  own: string,
  requests: number,
): Promise<void> {
  const admin = async (method: string, path: string, body: unknown): Promise<Json> =>
    (await call(`${url}/admin/v1${path}`, { method, headers: bearer(adminToken), body })).body;
  const keys: string[] = [];
  for (let index = 0; index < ACCOUNTS; index++) {
    const name = `Customer ${index} ${'of a long name '.repeat(index % 9)}`.trim();
    const account = await admin('POST', '/accounts', { name, plan: 'enterprise' });
    keys.push((await admin('POST', `/accounts/${account.id}/keys`, { name: `key ${name}` })).key);
  }
  await admin('PATCH', `/accounts/${own}`, { plan: 'enterprise' });
  const ownKey: string = (await admin('POST', `/accounts/${own}/keys`, { name: 'own' })).key;
  const models = (await call(`${url}/v1/models`, { headers: bearer(ownKey) })).body.data
    .map(({ id }: Json) => id)
    .filter((id: string) => /^(gpt|claude)/.test(id))
    .slice(0, 8);
  let sent = 0;
  const send = async () => {
    while (sent < requests) {
      const number = sent++;
      const key = number % 10 === 0 ? ownKey : keys[number % ACCOUNTS]!;
      const model = number % 50 === 0 ? 'no-such-model' : models[number % models.length];
      const body = chatBody(model, { max_tokens: 8, user: `user-${number % 300}` });
      await call(`${url}/v1/chat/completions`, { headers: bearer(key), body });
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, send));
}
