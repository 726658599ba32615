import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { countUp } from '../../src/base/lib/testing/count-up.ts';
import { sampleModel } from '../support/sample-config.ts';
import { startServer, type TestServer } from '../support/start-server.ts';
import { wideLimits } from '../support/wide-limits.ts';
import { BusyClients, type ClientKey, type CompleteReply } from './busy-clients.ts';
import { type AnswerPoint, answerPoints, startChatUpstream, USAGE } from './chat-upstream.ts';
import { type CrashPoint, crashPoints, FAULT_VARIABLE, type Fault, type Mutant } from './fault.ts';
import { countHolds, findContradictions, readBilled } from './read-ledger.ts';

export type KillTest = {
  /** Goes on until there are as many of both. */
  kills: number;
  replies: number;
  random: () => number;
  mutant?: Mutant | undefined;
  /** The points of the kills, in turn. The default is every point. */
  deaths?: readonly Death[] | undefined;
  /** Reports every kill. */
  onKill?: ((report: { kills: number; death: Death; replies: number }) => void) | undefined;
};

export type Death = 'at-random' | 'late-at-random' | CrashPoint | AnswerPoint;

export type KillReport = {
  kills: number;
  /** The kills that came at their point. */
  killsAt: Record<string, number>;
  /** The points that a life did not come by, so that it was ended from outside. */
  missed: string[];
  seenComplete: number;
  billed: number;
  recovered: number;
  /** Complete for the client and not in the ledger. */
  unbilled: string[];
  /** Answers that a client has received in full, and that were billed as something else. */
  billedWrong: string[];
  contradictions: string[];
  billedUnseen: number;
};

const CLIENTS = 12;
const preload = join(import.meta.dir, 'inject-fault.ts');
/** A life that does not come by its crash point is ended from outside. */
const MAX_LIFE_MS = 6_000;

/** Points that are only passed when the store was away. */
const awayAt: ReadonlySet<CrashPoint> = new Set(['after-spooling', 'before-wiping']);

/**
 * Every other life ends at any moment; a few last until holds are written down; the rest end at a point by
 * name.
 */
const allDeaths: readonly Death[] = [...crashPoints, ...answerPoints].flatMap((point) => [
  ...['at-random' as const, point, 'at-random' as const, 'late-at-random' as const],
]);

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
  const lives = new Lives({ test, upstream, dataDirectory, clients });
  try {
    while (lives.kills < test.kills || clients.complete.length < test.replies) await lives.live();
    await lives.last();
    return reportOf(lives, clients.complete, dataDirectory);
  } finally {
    upstream.stop();
    rmSync(dataDirectory, { recursive: true, force: true });
  }
}

function reportOf(lives: Lives, replies: readonly CompleteReply[], dataDirectory: string): KillReport {
  const billed = readBilled(dataDirectory);
  const byRequest = new Map(billed.map((one) => [one.requestId, one]));
  const isRight = ({ requestId, keyId }: CompleteReply) => {
    const { outcome, input, output, isEstimated, keyId: billedKey } = byRequest.get(requestId)!;
    const isExact = input === USAGE.prompt_tokens && output === USAGE.completion_tokens && !isEstimated;
    return isExact && outcome === 'complete' && billedKey === keyId;
  };
  const ids = (found: readonly CompleteReply[]) => found.map(({ requestId }) => requestId);
  return {
    kills: lives.kills,
    killsAt: lives.killsAt,
    missed: lives.missed,
    seenComplete: replies.length,
    billed: billed.length,
    recovered: billed.filter(({ outcome }) => outcome === 'recovered').length,
    unbilled: ids(replies.filter(({ requestId }) => !byRequest.has(requestId))),
    billedWrong: ids(replies.filter((one) => byRequest.has(one.requestId) && !isRight(one))),
    contradictions: [...lives.contradictions],
    billedUnseen: billed.length - replies.filter(({ requestId }) => byRequest.has(requestId)).length,
  };
}

type LivesParts = {
  test: KillTest;
  upstream: ReturnType<typeof startChatUpstream>;
  dataDirectory: string;
  clients: BusyClients;
};

/** One server after the other on one data directory. */
class Lives {
  readonly #parts: LivesParts;
  readonly contradictions = new Set<string>();
  readonly killsAt: Record<string, number> = {};
  readonly missed: string[] = [];
  kills = 0;
  #lives = 0;
  #keys: ClientKey[] = [];

  constructor(parts: LivesParts) {
    this.#parts = parts;
  }

  async live(): Promise<void> {
    const { deaths = allDeaths } = this.#parts.test;
    const death = deaths[this.#lives++ % deaths.length]!;
    const server = await this.#start(death).catch((error: unknown) => {
      if (!crashPoints.some((point) => point === death))
        this.contradictions.add(`a start after a kill failed: ${error}`);
    });
    let isMissed = false;
    if (server) {
      await this.#opened(server);
      isMissed = await this.#until(server, death);
      this.#parts.clients.close();
      await server.stop();
    }
    this.kills += 1;
    if (isMissed) this.missed.push(death);
    else countUp(this.killsAt, death);
    this.#parts.test.onKill?.({ kills: this.kills, death, replies: this.#parts.clients.complete.length });
  }

  /** Ends in good order, so that all there is can be looked at. */
  async last(): Promise<void> {
    const { test, clients } = this.#parts;
    const server = await this.#start(undefined);
    await this.#opened(server);
    await clients.stop();
    const { body } = await server.admin('GET', '/ledger/verify');
    for (const fault of body.faults) this.contradictions.add(`verify: ${JSON.stringify(fault)}`);
    this.#look();
    const code = await server.stop();
    if (code !== 0 && !test.mutant) this.contradictions.add(`the last server ended with ${code}`);
  }

  #start(death: Death | undefined): Promise<TestServer> {
    const { upstream, dataDirectory, test } = this.#parts;
    const point = crashPoints.find((name) => name === death);
    const fault: Fault = {
      mutant: test.mutant,
      crash: point && { point, passes: passesUntil(point, test.random) },
      full: point && awayAt.has(point) ? { fromCommit: 40, forMs: 300 } : undefined,
    };
    upstream.watch(() => {});
    return startServer({
      config: configFor(upstream.url),
      dataDirectory,
      preload,
      environment: { [FAULT_VARIABLE]: JSON.stringify(fault) },
    });
  }

  /** Nothing is left of the life before, and clients come in. */
  async #opened(server: TestServer): Promise<void> {
    const { dataDirectory, clients } = this.#parts;
    this.#look();
    const holds = countHolds(dataDirectory);
    if (holds > 0) this.contradictions.add(`${holds} holds left by the life before`);
    if (this.#keys.length === 0) this.#keys = await customersOf(server);
    clients.open({ url: server.url, keys: this.#keys });
  }

  #look(): void {
    for (const found of findContradictions(this.#parts.dataDirectory)) this.contradictions.add(found);
  }

  /** Waits for the end of a life. Reports whether it was ended from outside before it came by its point. */
  async #until(server: TestServer, death: Death): Promise<boolean> {
    const { random } = this.#parts.test;
    const kill = () => server.signal('SIGKILL');
    let isEndedByTime = false;
    const isNamed = crashPoints.some((name) => name === death) || answerPoints.some((name) => name === death);
    const lifeMs = isNamed ? MAX_LIFE_MS : 150 + 300 * random() + (death === 'late-at-random' ? 1_900 : 0);
    const timer = setTimeout(() => {
      isEndedByTime = true;
      kill();
    }, lifeMs);
    let passes = 1 + Math.floor(60 * random());
    this.#parts.upstream.watch((point) => {
      if (point === death && --passes === 0) kill();
    });
    await server.exited;
    clearTimeout(timer);
    return isNamed && isEndedByTime;
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

/** Keys that are paid for in every way: by the month, with a cap, by purchased credit. */
async function customersOf(server: TestServer): Promise<ClientKey[]> {
  const monthly = await server.createKey('enterprise');
  const capped = await server.createKey('enterprise', { account: monthly.account, monthly_cap_usd: 1e6 });
  const payg = await server.createKey('payg');
  for (let times = 0; times < 5; times++) await server.purchase(payg.account, 1_000);
  return [monthly, capped, payg];
}
