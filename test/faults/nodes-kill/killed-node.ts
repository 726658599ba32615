import { join } from 'node:path';
import { countUp } from '../../../src/base/lib/testing/count-up.ts';
import { startServer, type TestServer } from '../../support/start-server.ts';
import type { BusyClients } from '../busy-clients.ts';
import { FAULT_VARIABLE } from '../fault.ts';
import type { Silence } from './find-passed-windows.ts';
import type { KilledPostgres } from './killed-postgres.ts';
import type { NodeCustomers } from './node-customers.ts';
import { type NodeCrashPoint, type NodeFault, type NodeMutant, nodeCrashPoints } from './node-fault.ts';

/**
 * The ways in which a node is killed. `away`: the others close it before it starts again. `paused`: the
 * others close it while it is stopped, and it continues. `with-postgres`: Postgres is killed at the same
 * time.
 */
export type KillKind = 'at-random' | 'late-at-random' | 'away' | 'paused' | 'with-postgres' | NodeCrashPoint;

export const ADMIN_TOKEN = 'admin-token-of-the-kill-test-0123456789';

/** A node is closed after ten seconds of silence. */
const AWAY_MS = 12_000;
const PAUSE_MS = 11_000;
const AFTER_PAUSE_MS = 1_500;
/** A node that has not reached its crash point is killed from outside after this time. */
const MAX_RUN_MS = 8_000;
const MIN_RUN_MS = 500;
const LATE_MS = 2_500;

/** Points that are only reached after Postgres was unavailable. */
const pointsAfterOutage: ReadonlySet<KillKind> = new Set<KillKind>([
  'before-restore',
  'restore-sent',
  'after-restore',
  'after-spooling',
  'after-replay',
]);
const pointsAfterLongOutage: ReadonlySet<KillKind> = new Set(['after-spooling', 'after-replay']);
/** Points of the start, which a node reaches once or twice. */
const atStart: ReadonlySet<KillKind> = new Set(['close-node-sent', 'after-close-node']);

type KilledNodeParts = {
  config: Record<string, unknown>;
  directory: string;
  random: () => number;
  mutant: NodeMutant | undefined;
  /** The longest time of a run without a named point. */
  maxRunMs: number;
  postgres: KilledPostgres;
  clients: BusyClients;
  customers: () => Promise<NodeCustomers>;
  /** Counts the processes of all nodes. */
  nextRun: () => number;
};

const preload = join(import.meta.dir, '..', 'inject-node-fault.ts');

/** Runs the processes of one node, one after the other on one data directory. */
export class KilledNode {
  readonly silences: Silence[] = [];
  /** The counts of the kills at each point. */
  readonly killsAt: Record<string, number> = {};
  kills = 0;
  readonly failedStarts: string[] = [];
  readonly #parts: KilledNodeParts;

  constructor(parts: KilledNodeParts) {
    this.#parts = parts;
  }

  /** Starts a process without a fault. */
  start(): Promise<TestServer> {
    return this.#start({});
  }

  async runUntilKilled(kind: KillKind): Promise<void> {
    const { clients, nextRun, customers, random } = this.#parts;
    const point = nodeCrashPoints.find((name) => name === kind);
    const crash = point && { point, passes: passesUntil(point, random) };
    const run = nextRun();
    const server = await this.#start({ crash }).catch((error: unknown) => {
      if (!crash) this.failedStarts.push(String(error).slice(0, 2_000));
    });
    let isMissed = false;
    if (server) {
      const known = await customers();
      clients.open({ url: server.url, keys: known.keysOf(run) });
      void known.refill(server);
      isMissed = await this.#waitForEnd(server, kind, run);
      this.silences.push({ run, from: performance.now(), to: Number.POSITIVE_INFINITY });
      clients.close();
      await server.stop();
    }
    this.kills += 1;
    if (!isMissed) countUp(this.killsAt, kind);
    if (kind === 'away') await Bun.sleep(AWAY_MS);
  }

  /** Waits for the end of a run. Reports whether it was killed from outside before it reached its point. */
  async #waitForEnd(server: TestServer, kind: KillKind, run: number): Promise<boolean> {
    const { random, postgres } = this.#parts;
    const kill = () => server.signal('SIGKILL');
    const isNamed = nodeCrashPoints.some((name) => name === kind);
    const runMs = MIN_RUN_MS + this.#parts.maxRunMs * random() + (kind === 'late-at-random' ? LATE_MS : 0);
    let isTimedOut = false;
    const timer = setTimeout(
      () => {
        isTimedOut = true;
        kill();
      },
      isNamed ? MAX_RUN_MS + this.#parts.maxRunMs : runMs + (kind === 'paused' ? 3_600_000 : 0),
    );
    if (pointsAfterOutage.has(kind)) {
      await Bun.sleep(MIN_RUN_MS + this.#parts.maxRunMs * random());
      await postgres.kill(pointsAfterLongOutage.has(kind) || undefined);
    }
    if (kind === 'with-postgres') {
      await Bun.sleep(runMs);
      void postgres.kill();
      kill();
    }
    if (kind === 'paused') {
      await Bun.sleep(runMs);
      await this.#pause(server, run);
      await Bun.sleep(AFTER_PAUSE_MS);
      kill();
    }
    await server.exited;
    clearTimeout(timer);
    return isNamed && isTimedOut;
  }

  async #pause(server: TestServer, run: number): Promise<void> {
    const from = performance.now();
    server.signal('SIGSTOP');
    await Bun.sleep(PAUSE_MS);
    server.signal('SIGCONT');
    this.silences.push({ run, from, to: performance.now() });
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
  if (pointsAfterOutage.has(point) || point.includes('checkpoint')) return 1 + Math.floor(2 * random());
  return 1 + Math.floor(120 * random());
}
