import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serveSimulator } from '../../src/simulator/serving/serve-simulator.ts';
import { Database } from '../../src/store/postgres/database.ts';
import { installedBinaries } from '../support/postgres/postgres-binaries.ts';
import { PostgresServer } from '../support/postgres/postgres-server.ts';
import { populate } from './support/populate.ts';
import { readViews } from './support/read-views.ts';
import { releaseConfig } from './support/release-config.ts';
import { DATABASE_TOKEN, type Release, releases } from './support/releases.ts';
import { startRelease } from './support/start-release.ts';
import { killInTraffic } from './support/traffic.ts';
import { unpackTree } from './support/unpack-tree.ts';

// Makes what a release leaves when it is killed in the middle of traffic.
// The README in this folder says when.

/** The address and the lock belong to the process, and the index of the log is made again. */
const OF_THE_PROCESS = /^(address|tollgate.lock|.*-shm|node)$/;

/** The log of a database has the same pages many times, which a small window would not find. */
const pack = (content: string | Uint8Array<ArrayBuffer>) => Bun.zstdCompressSync(content, { level: 19 });

const place = mkdtempSync(join(tmpdir(), 'tollgate-release-'));
const upstream = serveSimulator();
/** The model `late` answers after the kill alone, so the kill interrupts a batch. */
const populated = releaseConfig(upstream.url, '!delay-ms=120000');
const config = releaseConfig(upstream.url);

type Making = { release: Release; tree: string; target: string };

/** Writes what the release shows after a start on a copy. */
function writeExpected(target: string, store: string, expected: object): void {
  writeFileSync(join(target, `${store}.json.zst`), pack(JSON.stringify(expected)));
}

async function makeDirectory({ release, tree, target }: Making): Promise<void> {
  const dataDirectory = join(place, release.name);
  const server = await startRelease({ tree, dataDirectory, config: populated });
  const made = await populate(server, { hasPeople: release.stores.includes('postgres') });
  const acknowledged = await killInTraffic(server, made, () => server.end('SIGKILL'));
  const killedAt = Date.now();
  mkdirSync(join(target, 'directory'));
  for (const name of readdirSync(dataDirectory)) {
    const path = join(dataDirectory, name);
    if (OF_THE_PROCESS.test(name) || !statSync(path).isFile()) continue;
    writeFileSync(join(target, 'directory', `${name}.zst`), pack(readFileSync(path)));
  }
  const copy = join(place, `${release.name}-copy`);
  cpSync(dataDirectory, copy, { recursive: true });
  const again = await startRelease({ tree, dataDirectory: copy, config });
  const shown = await readViews(again, made);
  await again.end('SIGTERM');
  writeExpected(target, 'embedded', { killedAt, made, acknowledged, shown });
}

async function makeDatabase({ release, tree, target }: Making): Promise<void> {
  const binaries = installedBinaries();
  if (!binaries?.isComplete) throw new Error('the dump needs pg_dump of /usr/lib/postgresql');
  const postgres = await PostgresServer.create({ binaries });
  const database = new Database({ url: postgres.url, maxConnections: 1 });
  const urlOf = (name: string) => Object.assign(new URL(postgres.url), { pathname: name }).href;
  await database.script('CREATE DATABASE populated');
  const start = (name: string, config: object) =>
    startRelease({
      tree,
      config,
      databaseUrl: urlOf(name),
      adminToken: DATABASE_TOKEN,
      dataDirectory: join(place, `${release.name}-on-${name}`),
    });
  const server = await start('populated', populated);
  const made = await populate(server, { hasPeople: true });
  const acknowledged = await killInTraffic(server, made, () => server.end('SIGKILL'));
  const killedAt = Date.now();
  const dump = Bun.spawnSync([
    join(binaries.bin, 'pg_dump'),
    '--inserts',
    '--rows-per-insert=50',
    '--no-owner',
    '--no-privileges',
    urlOf('populated'),
  ]);
  if (dump.exitCode !== 0) throw new Error(`pg_dump failed: ${dump.stderr}`);
  // Newer programs write commands of psql.
  const text = dump.stdout.toString().replace(/^\\.*\n/gm, '');
  writeFileSync(join(target, 'database.sql.zst'), pack(text));
  await database.script('CREATE DATABASE copy TEMPLATE populated');
  const again = await start('copy', config);
  const shown = await readViews(again, made);
  await again.end('SIGTERM');
  writeExpected(target, 'postgres', { killedAt, made, acknowledged, shown });
  await database.close();
  await postgres.remove();
}

const [only] = process.argv.slice(2);
try {
  for (const release of releases.filter(({ name }) => only === undefined || name === only)) {
    const target = join(import.meta.dir, 'releases', release.name);
    if (existsSync(target)) continue;
    const tree = unpackTree(release.commit, join(place, `tree-${release.name}`));
    mkdirSync(target, { recursive: true });
    try {
      await makeDirectory({ release, tree, target });
      if (release.stores.includes('postgres')) await makeDatabase({ release, tree, target });
    } catch (error) {
      rmSync(target, { recursive: true, force: true });
      throw error;
    }
  }
} finally {
  await upstream.stop();
  rmSync(place, { recursive: true, force: true });
}
