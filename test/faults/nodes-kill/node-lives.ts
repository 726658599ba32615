import { join } from 'node:path';
import { countUp } from '../../../src/base/lib/testing/count-up.ts';
import { startServer, type TestServer } from '../../support/start-server.ts';
import type { BusyClients } from '../busy-clients.ts';
import { FAULT_VARIABLE } from '../fault.ts';
import type { Silence } from './find-passed-windows.ts';
import type { NodeCustomers } from './node-customers.ts';
import { type NodeCrashPoint, type NodeFault, type NodeMutant, nodeCrashPoints } from './node-fault.ts';
import type { PostgresLives } from './postgres-lives.ts';

/**
 * The ends of a node's life. `away`: it is closed by the others before it starts again. `paused`: it is
 * closed while it is stopped, and goes on. `with-postgres`: Postgres is killed at the same time.
 */
export type NodeDeath = 'at-random' | 'late-at-random' | 'away' | 'paused' | 'with-postgres' | NodeCrashPoint;

export const ADMIN_TOKEN = 'admin-token-of-the-kill-test-0123456789';

/** A node is closed after ten seconds of silence. */
const AWAY_MS = 12_000;
const PAUSE_MS = 11_000;
const AFTER_PAUSE_MS = 1_500;
/** A life that does not come by its crash point is ended from outside. */
const MAX_LIFE_MS = 8_000;
const MIN_LIFE_MS = 500;
const LATE_MS = 2_500;

/** Points that are only passed when Postgres has been away. */
const awayAt: ReadonlySet<NodeDeath> = new Set([
  ...(['before-restore', 'restore-sent', 'after-restore', 'after-spooling', 'after-replay'] as const),
]);
const spooling: ReadonlySet<NodeDeath> = new Set(['after-spooling', 'after-replay']);
/** Points of the start, which are passed once or twice. */
const atStart: ReadonlySet<NodeDeath> = new Set(['close-node-sent', 'after-close-node']);

export type NodeLivesParts = {
  config: Record<string, unknown>;
  directory: string;
  random: () => number;
  mutant: NodeMutant | undefined;
  /** The longest time of an ordinary life. */
  lifeMs: number;
  postgres: PostgresLives;
  clients: BusyClients;
  customers: () => Promise<NodeCustomers>;
  /** Counts the processes of all nodes. */
  nextLife: () => number;
};

const preload = join(import.meta.dir, '..', 'inject-node-fault.ts');

/** The processes of one node, one after the other on one data directory. */
export class NodeLives {
  readonly silences: Silence[] = [];
  /** The kills that came at their point. */
  readonly killsAt: Record<string, number> = {};
  kills = 0;
  readonly failedStarts: string[] = [];
  readonly #parts: NodeLivesParts;

  constructor(parts: NodeLivesParts) {
    this.#parts = parts;
  }

  /** Starts a process without a fault. */
  start(): Promise<TestServer> {
    return this.#start({});
  }

  async live(death: NodeDeath): Promise<void> {
    const { clients, nextLife, customers, random } = this.#parts;
    const point = nodeCrashPoints.find((name) => name === death);
    const crash = point && { point, passes: passesUntil(point, random) };
    const life = nextLife();
    const server = await this.#start({ crash }).catch((error: unknown) => {
      if (!crash) this.failedStarts.push(String(error).slice(0, 2_000));
    });
    let isMissed = false;
    if (server) {
      const known = await customers();
      clients.open({ url: server.url, keys: known.keysOf(life) });
      void known.refill(server);
      isMissed = await this.#until(server, death, life);
      this.silences.push({ life, from: performance.now(), to: Number.POSITIVE_INFINITY });
      clients.close();
      await server.stop();
    }
    this.kills += 1;
    if (!isMissed) countUp(this.killsAt, death);
    if (death === 'away') await Bun.sleep(AWAY_MS);
  }

  /** Waits for the end of a life. Reports whether it was ended from outside before it came by its point. */
  async #until(server: TestServer, death: NodeDeath, life: number): Promise<boolean> {
    const { random, postgres } = this.#parts;
    const kill = () => server.signal('SIGKILL');
    const isNamed = nodeCrashPoints.some((name) => name === death);
    const lifeMs = MIN_LIFE_MS + this.#parts.lifeMs * random() + (death === 'late-at-random' ? LATE_MS : 0);
    let isEndedByTime = false;
    const timer = setTimeout(
      () => {
        isEndedByTime = true;
        kill();
      },
      isNamed ? MAX_LIFE_MS + this.#parts.lifeMs : lifeMs + (death === 'paused' ? 3_600_000 : 0),
    );
    if (awayAt.has(death)) {
      await Bun.sleep(MIN_LIFE_MS + this.#parts.lifeMs * random());
      await postgres.kill(spooling.has(death) || undefined);
    }
    if (death === 'with-postgres') {
      await Bun.sleep(lifeMs);
      void postgres.kill();
      kill();
    }
    if (death === 'paused') {
      await Bun.sleep(lifeMs);
      await this.#pause(server, life);
      await Bun.sleep(AFTER_PAUSE_MS);
      kill();
    }
    await server.exited;
    clearTimeout(timer);
    return isNamed && isEndedByTime;
  }

  async #pause(server: TestServer, life: number): Promise<void> {
    const from = performance.now();
    server.signal('SIGSTOP');
    await Bun.sleep(PAUSE_MS);
    server.signal('SIGCONT');
    this.silences.push({ life, from, to: performance.now() });
  }

  #start(fault: NodeFault): Promise<TestServer> {
    const { config, directory, mutant, postgres } = this.#parts;
    return startServer({
      config,
      preload,
      dataDirectory: directory,
      environment: {
        DATABASE_URL: postgres.server.url,
        TOLLGATE_ADMIN_TOKEN: ADMIN_TOKEN,
        [FAULT_VARIABLE]: JSON.stringify({ ...fault, mutant } satisfies NodeFault),
      },
    });
  }
}

/** Frequent points are passed several times before the kill. */
function passesUntil(point: NodeCrashPoint, random: () => number): number {
  if (atStart.has(point) || point === 'after-replay') return 1;
  if (awayAt.has(point) || point.includes('checkpoint')) return 1 + Math.floor(2 * random());
  return 1 + Math.floor(120 * random());
}
