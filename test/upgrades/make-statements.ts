import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Database } from '../../src/store/postgres/database.ts';
import { installedBinaries } from '../support/postgres/postgres-binaries.ts';
import { PostgresServer } from '../support/postgres/postgres-server.ts';
import { loadDatabase } from './support/kept-release.ts';
import { releases } from './support/releases.ts';
import { unpackTree } from './support/unpack-tree.ts';

// Lists the statements that a release sends to Postgres: `make-statements.ts VERSION TEST…`. It runs tests of
// that release on a server that logs every statement.

const [name, ...tests] = process.argv.slice(2);
const release = releases.find((each) => each.name === name);
if (!release || tests.length === 0) throw new Error('usage: make-statements.ts VERSION TEST…');
const place = mkdtempSync(join(tmpdir(), 'tollgate-statements-'));
const tree = unpackTree(release.commit, join(place, 'tree'));
const server = await PostgresServer.create({
  binaries: installedBinaries(),
  fsync: false,
  settings: { logging_collector: 'on', log_destination: "'jsonlog'", log_statement: 'all' },
});
const environment = { TOLLGATE_TEST_POSTGRES: server.url, TOLLGATE_TEST_STORE: 'postgres' };
const ran = Bun.spawn([process.execPath, 'test', ...tests], {
  cwd: tree,
  env: { ...process.env, ...environment },
  stdout: 'ignore',
  stderr: 'ignore',
});
await ran.exited;

const spaced = (text: string): string => text.replace(/\s+/g, ' ').trim();
const log = join(server.data, 'log');
const sent = new Set<string>();
for (const file of readdirSync(log).filter((each) => each.endsWith('.json')))
  for (const line of readFileSync(join(log, file), 'utf8').split('\n').filter(Boolean)) {
    const text = /^execute [^:]*: ([\s\S]*)$/.exec(JSON.parse(line).message)?.[1];
    if (text && /^\s*(select|insert|update|delete|with)\b/i.test(text)) sent.add(spaced(text));
  }
await server.remove();

/**
 * The program sends its values as parameters.
 * Statements without any are mostly those of the tests themselves.
 */
const ofTheProgram = [...sent].filter((text) => text.includes('$1'));

const database = new Database({ url: await loadDatabase(release.name, Date.now()), maxConnections: 1 });
await database.script('SET search_path = public');
const statements: string[] = [];
for (const text of ofTheProgram.sort())
  await database.script(`PREPARE sent AS ${text}; DEALLOCATE sent`).then(
    () => statements.push(text),
    () => {},
  );
await database.close();
const packed = Bun.zstdCompressSync(JSON.stringify(statements), { level: 19 });
writeFileSync(join(import.meta.dir, 'releases', release.name, 'statements.json.zst'), packed);
console.log(`${statements.length} statements`);
rmSync(place, { recursive: true, force: true });
process.exit(0);
