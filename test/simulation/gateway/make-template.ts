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
import { DATABASE_PORT, DatabaseServer } from '../database/database-server.ts';
import type { KeptState, PostgresBuild } from '../database/postgres-build.ts';
import { Disk } from '../disk/disk.ts';
import { settle } from '../kernel/replace-globals.ts';
import { Simulation } from '../kernel/simulation.ts';
import { stage } from '../kernel/stage.ts';
import { Call, PORT } from '../network/call.ts';
import { listenAt } from '../network/connect.ts';
import { type AccountSpec, type Accounts, accountNames, accountSpecs, type RunAccount } from './accounts.ts';
import { configuration, DATABASE_URL, LIMITS, MADE_AT } from './configuration.ts';
import { Gateway } from './gateway.ts';
import type { LoadedProgram } from './load-program.ts';

/** A data directory with accounts, which every run begins with. On Postgres the database has the accounts. */
export type Template = {
  root: string;
  accounts: Accounts;
  adminToken: string;
  database: { build: PostgresBuild; state: KeptState } | undefined;
  remove(): void;
};

/** A file system in memory, where flushes cost nothing. */
const MEMORY = '/dev/shm';

type Json = Record<string, unknown>;

/** Makes the data directory with the program itself, in a separate run that is the same in every process. */
export async function makeTemplate({ program, build }: LoadedProgram): Promise<Template> {
  const root = mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), 'tollgate-simulation-'));
  const directory = join(root, 'template');
  mkdirSync(directory);
  const configFile = join(root, 'tollgate.yaml');
  const store = build && { store: { database_url: DATABASE_URL } };
  writeFileSync(configFile, stringify({ ...configuration, ...store }));
  const simulation = new Simulation({ seed: 0, startsAt: MADE_AT });
  stage.enter(simulation);
  const disk = new Disk(simulation, directory);
  const server = build && new DatabaseServer(simulation, build);
  if (server) listenAt(simulation, DATABASE_PORT, server);
  const gateway = new Gateway({ simulation, program, disk, name: 'template', configFile, port: PORT });
  const accounts = await simulation.run(async () => {
    if ((await gateway.start()) !== 'ready') throw new Error(gateway.log.join(''));
    const token = readFileSync(join(directory, 'admin-token'), 'utf8').trim();
    const made = {} as Accounts;
    for (const name of accountNames) made[name] = await makeAccount(simulation, token, name);
    await gateway.stop();
    return made;
  }, settle);
  const database = build && { build, state: build.keep() };
  stage.leave();
  // The nodes of a run are others.
  rmSync(join(directory, 'node'), { force: true });
  const adminToken = readFileSync(join(directory, 'admin-token'), 'utf8').trim();
  return {
    root,
    accounts,
    adminToken,
    database,
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

const { requestsPerMinute, concurrent, tokensPerMinute } = LIMITS.paced;
const keyLimits = { requests_per_min: requestsPerMinute, concurrent, tokens_per_min: tokensPerMinute };

async function makeAccount(
  simulation: Simulation,
  token: string,
  name: (typeof accountNames)[number],
): Promise<RunAccount> {
  const post = async (path: string, body: Json): Promise<Json> => {
    const headers = { authorization: `Bearer ${token}` };
    const asking = { method: 'POST', path: `/admin/v1${path}`, headers, body };
    const { status, received } = await new Call(simulation, asking, PORT).done;
    if (status !== 201) throw new Error(`POST ${path} answered ${status}: ${received}`);
    return JSON.parse(received);
  };
  const spec: AccountSpec = accountSpecs[name];
  const { id } = (await post('/accounts', { name, plan: spec.plan })) as { id: string };
  const key = (await post(`/accounts/${id}/keys`, {
    name,
    ...(spec.capUsd !== undefined && { monthly_cap_usd: spec.capUsd }),
    ...(name === 'unlimited' && { retries: 'keyed' }),
    ...(spec.hasLimits && { limits: keyLimits }),
  })) as { id: string; key: string };
  if (spec.purchaseUsd) await post(`/accounts/${id}/purchases`, { usd: spec.purchaseUsd });
  const budget = spec.budgetUsd
    ? await post('/budgets', {
        account_id: id,
        scope: 'organization',
        window: 'day',
        limit_usd: spec.budgetUsd,
      })
    : undefined;
  if (spec.hourUsd)
    await post('/budgets', {
      account_id: id,
      scope: 'organization',
      window: 'hour',
      kind: 'sliding',
      limit_usd: spec.hourUsd,
    });
  return { id, key: key.key, keyId: key.id, budgetId: budget && String(budget.id) };
}

/** Copies the data directory of the template. */
export function copyTemplate({ root }: Template, to: string): void {
  mkdirSync(to, { recursive: true, mode: 0o700 });
  const from = join(root, 'template');
  for (const { name } of readdirSync(from, { withFileTypes: true }).filter((entry) => entry.isFile()))
    copyFileSync(join(from, name), join(to, name));
}
