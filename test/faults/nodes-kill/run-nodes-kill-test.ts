import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../../../src/store/postgres/database.ts';
import { sampleModel } from '../../support/sample-config.ts';
import type { TestServer } from '../../support/start-server.ts';
import { waitFor } from '../../support/wait-for.ts';
import { wideLimits } from '../../support/wide-limits.ts';
import { BusyClients } from '../busy-clients.ts';
import { KilledNode, type KillKind } from './killed-node.ts';
import { KilledPostgres } from './killed-postgres.ts';
import { createNodeCustomers, type NodeCustomers } from './node-customers.ts';
import { type NodeMutant, nodeCrashPoints } from './node-fault.ts';
import { countLeftOver, type LeftOver } from './read-postgres-ledger.ts';
import { type NodesKillReport, reportOnNodes } from './report-on-nodes.ts';
import { LIMITED, NARROW, startWatchedUpstream, type WatchedUpstream } from './watched-upstream.ts';

type NodesKillTest = {
  /** The test continues until there are this many kills and replies, or until the time is over. */
  kills: number;
  postgresKills: number;
  replies: number;
  longestMs?: number;
  random: () => number;
  mutant?: NodeMutant | undefined;
  /** The kinds of kills, in turn for all nodes. The default is every kind. */
  killKinds?: readonly KillKind[] | undefined;
  /** The longest run of a node without a named point. */
  maxRunMs?: number | undefined;
  /** The longest pause between two kills of Postgres. */
  postgresPauseMs?: number | undefined;
  onKill?:
    | ((report: { kills: number; postgresKills: number; kind: string; replies: number }) => void)
    | undefined;
};

const NODES = 3;
const CLIENTS_OF_A_NODE = 6;
const DEFAULT_RUN_MS = 2_500;
const POSTGRES_PAUSE_MS = 30_000;
/** A hold that nobody settles ends when its node is closed, and a late settlement comes from a spool. */
const QUIET_MS = 60_000;

/** Half of the kills come at any moment, a quarter at a named point, and a quarter with other faults. */
const allKinds: readonly KillKind[] = nodeCrashPoints.flatMap((point, index): KillKind[] => [
  ...(['at-random', point, 'late-at-random'] as const),
  (['away', 'with-postgres', 'paused', 'at-random'] as const)[index % 4]!,
]);

const configFor = (upstream: string) => ({
  simulator: { mode: 'off' },
  providers: [{ id: 'upstream', wire: 'openai-chat', base_url: upstream, api_key: 'key' }],
  catalog: {
    default: false,
    models: ['quick', 'slow', LIMITED, NARROW].map((id) =>
      sampleModel(id, { routes: [{ provider: 'upstream', model: id }], capabilities: { tools: true } }),
    ),
  },
  plans: wideLimits,
  purchases: { min_usd: 0.001, max_usd: 1_000_000 },
});

/** Kills nodes and Postgres under load repeatedly, and compares the clients' replies with the entries. */
export async function runNodesKillTest(test: NodesKillTest): Promise<NodesKillReport> {
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-nodes-kill-test-'));
  const upstream = startWatchedUpstream();
  const postgres = await KilledPostgres.create(test.random);
  const fleet = new Fleet({ test, directory, upstream, postgres });
  try {
    await fleet.run();
    return await fleet.finish();
  } finally {
    upstream.stop();
    await postgres.remove();
    rmSync(directory, { recursive: true, force: true });
  }
}

type FleetParts = {
  test: NodesKillTest;
  directory: string;
  upstream: WatchedUpstream;
  postgres: KilledPostgres;
};

/** Runs three nodes with their clients. */
class Fleet {
  readonly #parts: FleetParts;
  readonly #clients: BusyClients[];
  readonly #nodes: KilledNode[];
  readonly #startedAt = performance.now();
  #customers: Promise<NodeCustomers> | undefined;
  #runs = 0;
  #nextKill = 0;

  constructor(parts: FleetParts) {
    this.#parts = parts;
    const { directory, postgres, upstream, test } = parts;
    const { random, mutant, maxRunMs = DEFAULT_RUN_MS } = test;
    this.#clients = Array.from({ length: NODES }, () => new BusyClients(CLIENTS_OF_A_NODE, random));
    this.#nodes = this.#clients.map(
      (clients, index) =>
        new KilledNode({
          config: configFor(upstream.url),
          directory: join(directory, `node-${index}`),
          random,
          mutant,
          maxRunMs,
          postgres,
          clients,
          customers: () => this.#customers!,
          nextRun: () => ++this.#runs,
        }),
    );
  }

  async run(): Promise<void> {
    const first = await this.#nodes[0]!.start();
    this.#customers = createNodeCustomers(first);
    await this.#customers;
    await first.stop();
    await Promise.all([...this.#nodes.map((node) => this.#runNode(node)), this.#killDatabases()]);
  }

  /** Starts and stops all nodes in order, and returns the report. */
  async finish(): Promise<NodesKillReport> {
    const { postgres, upstream, test } = this.#parts;
    const customers = await this.#customers!;
    const { database } = postgres;
    const servers = await Promise.all(this.#nodes.map((node) => node.start()));
    servers.forEach((server, index) => {
      this.#clients[index]!.open({ url: server.url, keys: customers.keysOf(++this.#runs) });
    });
    await Promise.all(this.#clients.map((clients) => clients.stop()));
    const contradictions = await this.#leftovers(servers, database);
    const { body } = await servers[0]!.admin('GET', '/ledger/verify');
    for (const fault of body.faults ?? [body]) contradictions.push(`verify: ${JSON.stringify(fault)}`);
    const codes = await Promise.all(servers.map((server) => server.stop()));
    if (codes.some((code) => code !== 0) && !test.mutant)
      contradictions.push(`the last nodes ended with ${codes}`);
    return reportOnNodes({
      customers,
      upstream,
      postgres,
      contradictions,
      nodes: this.#nodes,
      replies: this.#clients.flatMap(({ complete }) => complete),
      seconds: (performance.now() - this.#startedAt) / 1_000,
    });
  }

  get #kills(): number {
    return this.#nodes.reduce((sum, { kills }) => sum + kills, 0);
  }

  get #replies(): number {
    return this.#clients.reduce((sum, { complete }) => sum + complete.length, 0);
  }

  get #isOver(): boolean {
    const { test, postgres } = this.#parts;
    if (performance.now() - this.#startedAt > (test.longestMs ?? Number.POSITIVE_INFINITY)) return true;
    const isKilled = this.#kills >= test.kills && postgres.kills >= test.postgresKills;
    return isKilled && this.#replies >= test.replies;
  }

  async #runNode(node: KilledNode): Promise<void> {
    const { killKinds = allKinds, onKill } = this.#parts.test;
    while (!this.#isOver) {
      const kind = killKinds[this.#nextKill++ % killKinds.length]!;
      await node.runUntilKilled(kind);
      onKill?.({
        kills: this.#kills,
        kind,
        replies: this.#replies,
        postgresKills: this.#parts.postgres.kills,
      });
    }
  }

  async #killDatabases(): Promise<void> {
    const { postgres, test } = this.#parts;
    const { postgresPauseMs = POSTGRES_PAUSE_MS, random } = test;
    let dueAt = performance.now() + postgresPauseMs * (0.5 + random() / 2);
    while (!this.#isOver) {
      await Bun.sleep(200);
      if (performance.now() < dueAt) continue;
      await postgres.kill();
      dueAt = performance.now() + postgresPauseMs * (0.2 + 0.8 * random());
    }
  }

  /** Waits until spools, holds and places are empty and all entries are summed. */
  async #leftovers(servers: readonly TestServer[], database: Database): Promise<string[]> {
    const isSpooled = () => servers.some(({ dataDirectory }) => hasSpooled(dataDirectory));
    let left: LeftOver | undefined;
    const isQuiet = async () => {
      left = await countLeftOver(database);
      return !isSpooled() && left.holds + left.places + left.unsummed === 0;
    };
    return waitFor(isQuiet, QUIET_MS).then(
      () => [],
      () => [`left: ${JSON.stringify({ ...left, spooled: isSpooled() })}`],
    );
  }
}

/** A spool is filled with zeros. */
function hasSpooled(dataDirectory: string): boolean {
  const path = join(dataDirectory, 'settlements.spool');
  return existsSync(path) && (readFileSync(path)[0] ?? 0) !== 0;
}
