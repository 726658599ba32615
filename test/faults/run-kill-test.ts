import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { countUp } from '../../src/base/lib/testing/count-up.ts';
import { sampleModel } from '../support/sample-config.ts';
import { startServer, type TestServer } from '../support/start-server.ts';
import { wideLimits } from '../support/wide-limits.ts';
import { BusyClients, type ClientKey, type CompleteReply } from './busy-clients.ts';
import { type AnswerPoint, answerPoints, startChatUpstream, USAGE } from './chat-upstream.ts';
import { type CrashPoint, crashPoints, type Fault, type Mutant } from './fault.ts';
import { faultOptions } from './fault-options.ts';
import { countHolds, findContradictions, readBilled } from './read-ledger.ts';

type KillTest = {
  /** The test continues until there are this many kills and replies. */
  kills: number;
  replies: number;
  random: () => number;
  mutant?: Mutant | undefined;
  /** The points of the kills, in turn. The default is every point. */
  killPoints?: readonly KillPoint[] | undefined;
  /** Reports every kill. */
  onKill?: ((report: { kills: number; killPoint: KillPoint; replies: number }) => void) | undefined;
};

export type KillPoint = 'at-random' | 'late-at-random' | CrashPoint | AnswerPoint;

type KillReport = {
  kills: number;
  /** The counts of the kills at each point. */
  killsAt: Record<string, number>;
  /** The kill points that a server did not reach, so that it was killed from outside. */
  missed: string[];
  seenComplete: number;
  billed: number;
  recovered: number;
  /** Replies that a client received completely, and that the ledger does not have. */
  unbilled: string[];
  /** Replies that a client received completely, and that were billed wrongly. */
  billedWrong: string[];
  contradictions: string[];
  billedUnseen: number;
};

const CLIENTS = 12;
/** A server that has not reached its kill point is killed from outside after this time. */
const MAX_RUN_MS = 6_000;

/** Points that are only reached after the store was unavailable. */
const pointsAfterOutage: ReadonlySet<CrashPoint> = new Set(['after-spooling', 'before-wiping']);

/**
 * Half of the kills come at any moment, a quarter after holds are written, and a quarter at a named point.
 */
const allKillPoints: readonly KillPoint[] = [...crashPoints, ...answerPoints].flatMap(
  (point) => ['at-random', point, 'at-random', 'late-at-random'] as const,
);

const configFor = (upstream: string) => ({
  simulator: { mode: 'off' },
  providers: [{ id: 'upstream', wire: 'openai-chat', base_url: upstream, api_key: 'key' }],
  catalog: {
    default: false,
    models: ['quick', 'slow'].map((id) =>
      sampleModel(id, { routes: [{ provider: 'upstream', model: id }], capabilities: { tools: true } }),
    ),
  },
  plans: wideLimits,
});

/** Kills a server under load repeatedly, and compares the clients' replies with the entries. */
export async function runKillTest(test: KillTest): Promise<KillReport> {
  const upstream = startChatUpstream();
  const dataDirectory = join(
    tmpdir(),
    `tollgate-kill-test-${process.pid}-${Math.floor(test.random() * 1e9)}`,
  );
  const clients = new BusyClients(CLIENTS, test.random);
  const servers = new KilledServers({ test, upstream, dataDirectory, clients });
  try {
    while (servers.kills < test.kills || clients.complete.length < test.replies)
      await servers.runUntilKilled();
    await servers.runToEnd();
    return reportOf(servers, clients.complete, dataDirectory);
  } finally {
    upstream.stop();
    rmSync(dataDirectory, { recursive: true, force: true });
  }
}

function reportOf(
  servers: KilledServers,
  replies: readonly CompleteReply[],
  dataDirectory: string,
): KillReport {
  const billed = readBilled(dataDirectory);
  const byRequest = new Map(billed.map((one) => [one.requestId, one]));
  const isRight = ({ requestId, keyId }: CompleteReply) => {
    const { outcome, input, output, isEstimated, keyId: billedKey } = byRequest.get(requestId)!;
    const isExact = input === USAGE.prompt_tokens && output === USAGE.completion_tokens && !isEstimated;
    return isExact && outcome === 'complete' && billedKey === keyId;
  };
  const ids = (found: readonly CompleteReply[]) => found.map(({ requestId }) => requestId);
  return {
    kills: servers.kills,
    killsAt: servers.killsAt,
    missed: servers.missed,
    seenComplete: replies.length,
    billed: billed.length,
    recovered: billed.filter(({ outcome }) => outcome === 'recovered').length,
    unbilled: ids(replies.filter(({ requestId }) => !byRequest.has(requestId))),
    billedWrong: ids(replies.filter((one) => byRequest.has(one.requestId) && !isRight(one))),
    contradictions: [...servers.contradictions],
    billedUnseen: billed.length - replies.filter(({ requestId }) => byRequest.has(requestId)).length,
  };
}

type KilledServersParts = {
  test: KillTest;
  upstream: ReturnType<typeof startChatUpstream>;
  dataDirectory: string;
  clients: BusyClients;
};

/** Starts one server after the other on one data directory. */
class KilledServers {
  readonly #parts: KilledServersParts;
  readonly contradictions = new Set<string>();
  readonly killsAt: Record<string, number> = {};
  readonly missed: string[] = [];
  kills = 0;
  #starts = 0;
  #keys: ClientKey[] = [];

  constructor(parts: KilledServersParts) {
    this.#parts = parts;
  }

  async runUntilKilled(): Promise<void> {
    const { killPoints = allKillPoints } = this.#parts.test;
    const killPoint = killPoints[this.#starts++ % killPoints.length]!;
    const server = await this.#start(killPoint).catch((error: unknown) => {
      if (!crashPoints.some((point) => point === killPoint))
        this.contradictions.add(`a start after a kill failed: ${error}`);
    });
    let isMissed = false;
    if (server) {
      await this.#open(server);
      isMissed = await this.#waitForEnd(server, killPoint);
      this.#parts.clients.close();
      await server.stop();
    }
    this.kills += 1;
    if (isMissed) this.missed.push(killPoint);
    else countUp(this.killsAt, killPoint);
    this.#parts.test.onKill?.({ kills: this.kills, killPoint, replies: this.#parts.clients.complete.length });
  }

  /** Runs the last server until its clients have finished, and checks the ledger. */
  async runToEnd(): Promise<void> {
    const { test, clients } = this.#parts;
    const server = await this.#start(undefined);
    await this.#open(server);
    await clients.stop();
    for (const fault of await server.ledgerFaults())
      this.contradictions.add(`verify: ${JSON.stringify(fault)}`);
    this.#checkLedger();
    const code = await server.stop();
    if (code !== 0 && !test.mutant) this.contradictions.add(`the last server ended with ${code}`);
  }

  #start(killPoint: KillPoint | undefined): Promise<TestServer> {
    const { upstream, dataDirectory, test } = this.#parts;
    const point = crashPoints.find((name) => name === killPoint);
    const fault: Fault = {
      mutant: test.mutant,
      crash: point && { point, passes: passesUntil(point, test.random) },
      full: point && pointsAfterOutage.has(point) ? { fromCommit: 40, forMs: 300 } : undefined,
    };
    upstream.watch(() => {});
    return startServer({
      config: configFor(upstream.url),
      dataDirectory,
      ...faultOptions(fault),
    });
  }

  /** Checks that the server before has left nothing, and lets the clients begin. */
  async #open(server: TestServer): Promise<void> {
    const { dataDirectory, clients } = this.#parts;
    this.#checkLedger();
    const holds = countHolds(dataDirectory);
    if (holds > 0) this.contradictions.add(`${holds} holds left by the server before`);
    if (this.#keys.length === 0) this.#keys = await createKeys(server);
    clients.open({ url: server.url, keys: this.#keys });
  }

  #checkLedger(): void {
    for (const found of findContradictions(this.#parts.dataDirectory)) this.contradictions.add(found);
  }

  /**
   * Waits for the end of a server. Reports whether it was killed from outside before it reached its point.
   */
  async #waitForEnd(server: TestServer, killPoint: KillPoint): Promise<boolean> {
    const { random } = this.#parts.test;
    const kill = () => server.signal('SIGKILL');
    let isTimedOut = false;
    const isNamed =
      crashPoints.some((name) => name === killPoint) || answerPoints.some((name) => name === killPoint);
    const runMs = isNamed ? MAX_RUN_MS : 150 + 300 * random() + (killPoint === 'late-at-random' ? 1_900 : 0);
    const timer = setTimeout(() => {
      isTimedOut = true;
      kill();
    }, runMs);
    let passes = 1 + Math.floor(60 * random());
    this.#parts.upstream.watch((point) => {
      if (point === killPoint && --passes === 0) kill();
    });
    await server.exited;
    clearTimeout(timer);
    return isNamed && isTimedOut;
  }
}

/** Frequent points are passed several times before the kill. */
function passesUntil(point: CrashPoint, random: () => number): number {
  if (point === 'after-recovery' || point === 'after-replay') return 1;
  if (point === 'after-spooling') return 1 + Math.floor(20 * random());
  if (point === 'before-wiping') return 2; // the start passes it once
  if (point.endsWith('-sweep') || point === 'in-recovery') return 1 + Math.floor(2 * random());
  return 1 + Math.floor(120 * random());
}

/** Creates a key for each way to pay: monthly credits, a cap, and purchased credit. */
async function createKeys(server: TestServer): Promise<ClientKey[]> {
  const monthly = await server.createKey('enterprise');
  const capped = await server.createKey('enterprise', { account: monthly.account, monthly_cap_usd: 1e6 });
  const payg = await server.createKey('payg');
  for (let times = 0; times < 5; times++) await server.purchase(payg.account, 1_000);
  return [monthly, capped, payg];
}
