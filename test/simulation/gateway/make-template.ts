import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { Disk } from '../disk/disk.ts';
import { settle } from '../kernel/replace-globals.ts';
import { Simulation } from '../kernel/simulation.ts';
import { stage } from '../kernel/stage.ts';
import { Call } from '../network/call.ts';
import { type Accounts, accountNames, accountSpecs, type MadeAccount } from './accounts.ts';
import { configuration, MADE_AT } from './configuration.ts';
import { Gateway, type Program } from './gateway.ts';

/** A data directory with accounts, which every run begins with. */
export type Template = { root: string; accounts: Accounts; adminToken: string; remove(): void };

/** A file system in memory, where flushes cost nothing. */
const MEMORY = '/dev/shm';

type Json = Record<string, unknown>;

/** Makes the data directory with the program itself, in a run of its own that is the same in every process. */
export async function makeTemplate(program: Program): Promise<Template> {
  const root = mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), 'tollgate-simulation-'));
  const directory = join(root, 'template');
  mkdirSync(directory);
  const configFile = join(root, 'tollgate.yaml');
  writeFileSync(configFile, stringify(configuration));
  const simulation = new Simulation({ seed: 0, startsAt: MADE_AT });
  stage.enter(simulation);
  const disk = new Disk(simulation, directory);
  const gateway = new Gateway({ simulation, program, disk, name: 'template', configFile });
  const accounts = await simulation.run(async () => {
    if ((await gateway.start()) !== 'ready') throw new Error(gateway.log.join(''));
    const token = readFileSync(join(directory, 'admin-token'), 'utf8').trim();
    const made = {} as Accounts;
    for (const name of accountNames) made[name] = await makeAccount(simulation, token, name);
    await gateway.stop();
    return made;
  }, settle);
  stage.leave();
  const adminToken = readFileSync(join(directory, 'admin-token'), 'utf8').trim();
  return { root, accounts, adminToken, remove: () => rmSync(root, { recursive: true, force: true }) };
}

async function makeAccount(
  simulation: Simulation,
  token: string,
  name: (typeof accountNames)[number],
): Promise<MadeAccount> {
  const post = async (path: string, body: Json): Promise<Json> => {
    const headers = { authorization: `Bearer ${token}` };
    const asking = { method: 'POST', path: `/admin/v1${path}`, headers, body };
    const { status, received } = await new Call(simulation, asking).done;
    if (status !== 201) throw new Error(`POST ${path} answered ${status}: ${received}`);
    return JSON.parse(received);
  };
  const spec: { plan: string; purchaseUsd?: number; capUsd?: number; budgetUsd?: number } =
    accountSpecs[name];
  const { id } = (await post('/accounts', { name, plan: spec.plan })) as { id: string };
  const cap = spec.capUsd === undefined ? {} : { monthly_cap_usd: spec.capUsd };
  const retries = name === 'unlimited' ? { retries: 'keyed' } : {};
  const key = (await post(`/accounts/${id}/keys`, { name, ...cap, ...retries })) as {
    id: string;
    key: string;
  };
  if (spec.purchaseUsd) await post(`/accounts/${id}/purchases`, { usd: spec.purchaseUsd });
  if (spec.budgetUsd)
    await post('/budgets', {
      account_id: id,
      scope: 'organization',
      window: 'day',
      limit_usd: spec.budgetUsd,
    });
  return { id, key: key.key, keyId: key.id };
}

/** Copies the data directory of the template. */
export function copyTemplate({ root }: Template, to: string): void {
  mkdirSync(to, { recursive: true, mode: 0o700 });
  const from = join(root, 'template');
  for (const { name } of readdirSync(from, { withFileTypes: true }).filter((entry) => entry.isFile()))
    copyFileSync(join(from, name), join(to, name));
}
