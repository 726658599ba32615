import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../../../src/store/postgres/database.ts';
import { sampleModel } from '../../support/sample-config.ts';
import type { TestServer } from '../../support/start-server.ts';
import { waitFor } from '../../support/wait-for.ts';
import { wideLimits } from '../../support/wide-limits.ts';
import { BusyClients } from '../busy-clients.ts';
import { createNodeCustomers, type NodeCustomers } from './node-customers.ts';
import { type NodeMutant, nodeCrashPoints } from './node-fault.ts';
import { type NodeDeath, NodeLives } from './node-lives.ts';
import { PostgresLives } from './postgres-lives.ts';
import { countLeftOver, type LeftOver } from './read-postgres-ledger.ts';
import { type NodesKillReport, reportOnNodes } from './report-on-nodes.ts';
import { LIMITED, NARROW, startWatchedUpstream, type WatchedUpstream } from './watched-upstream.ts';

export type NodesKillTest = {
  /** Goes on until there are as many of all three, or until the time is over. */
  kills: number;
  postgresKills: number;
  replies: number;
  longestMs?: number;
  random: () => number;
  mutant?: NodeMutant | undefined;
  /** The ends of lives, in turn, for all nodes. The default is every one. */
  deaths?: readonly NodeDeath[] | undefined;
  /** The longest ordinary life of a node. */
  lifeMs?: number | undefined;
  /** The longest pause between two kills of Postgres. */
  postgresPauseMs?: number | undefined;
  onKill?:
    | ((report: { kills: number; postgresKills: number; death: string; replies: number }) => void)
    | undefined;
};

const NODES = 3;
const CLIENTS_OF_A_NODE = 6;
const LIFE_MS = 2_500;
const POSTGRES_PAUSE_MS = 30_000;
/** A hold that nobody settles ends when its node is closed, and a late settlement comes from a spool. */
const QUIET_MS = 60_000;

/**
 * Every other life ends at any moment; a few end with others than themselves;
 * the rest end at a point by name.
 */
const allDeaths: readonly NodeDeath[] = nodeCrashPoints.flatMap((point, index): NodeDeath[] => [
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
  const postgres = await PostgresLives.create(test.random);
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
  postgres: PostgresLives;
};

/** Three nodes, their clients, and the deaths that are due. */
class Fleet {
  readonly #parts: FleetParts;
  readonly #clients: BusyClients[];
  readonly #nodes: NodeLives[];
  readonly #startedAt = performance.now();
  #customers: Promise<NodeCustomers> | undefined;
  #lives = 0;
  #deaths = 0;

  constructor(parts: FleetParts) {
    this.#parts = parts;
    const { directory, postgres, upstream, test } = parts;
    const { random, mutant, lifeMs = LIFE_MS } = test;
    this.#clients = Array.from({ length: NODES }, () => new BusyClients(CLIENTS_OF_A_NODE, random));
    this.#nodes = this.#clients.map(
      (clients, index) =>
        new NodeLives({
          config: configFor(upstream.url),
          directory: join(directory, `node-${index}`),
          random,
          mutant,
          lifeMs,
          postgres,
          clients,
          customers: () => this.#customers!,
          nextLife: () => ++this.#lives,
        }),
    );
  }

  async run(): Promise<void> {
    const first = await this.#nodes[0]!.start();
    this.#customers = createNodeCustomers(first);
    await this.#customers;
    await first.stop();
    await Promise.all([...this.#nodes.map((node) => this.#liveOn(node)), this.#loseDatabases()]);
  }

  /** All nodes start again and end in good order, so that nothing may be left. */
  async finish(): Promise<NodesKillReport> {
    const { postgres, upstream, test } = this.#parts;
    const customers = await this.#customers!;
    const { database } = postgres;
    const servers = await Promise.all(this.#nodes.map((node) => node.start()));
    servers.forEach((server, index) => {
      this.#clients[index]!.open({ url: server.url, keys: customers.keysOf(++this.#lives) });
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

  async #liveOn(node: NodeLives): Promise<void> {
    const { deaths = allDeaths, onKill } = this.#parts.test;
    while (!this.#isOver) {
      const death = deaths[this.#deaths++ % deaths.length]!;
      await node.live(death);
      onKill?.({
        kills: this.#kills,
        death,
        replies: this.#replies,
        postgresKills: this.#parts.postgres.kills,
      });
    }
  }

  async #loseDatabases(): Promise<void> {
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
