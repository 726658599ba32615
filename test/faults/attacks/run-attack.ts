import { findContradictions, readBilled } from '../read-ledger.ts';
import type { Attack, AttackReport, Statuses } from './attack.ts';
import type { AttackedGateway } from './attacked-gateway.ts';
import type { AttackerCommand, AttackerMessage, PrepareCommand } from './attacker.ts';
import { Bystander, waitsBetween } from './bystander.ts';
import { ServerGauge } from './server-gauge.ts';
import { spawnProcess } from './spawn-process.ts';

export type Waits = ReturnType<typeof waitsBetween>;

export type Outcome = {
  name: string;
  attacker: Statuses;
  /** The waits of the bystander. */
  quiet: Waits;
  during: Waits;
  /** The waits of the control during the attack. */
  control: Waits;
  quietMb: number;
  peakMb: number;
  /**
   * Milliseconds from the end of the attack until recovery. Undefined if the server did not recover in time.
   */
  back: Record<Concern, number | undefined>;
  /** Request ids of complete answers without an entry. */
  lost: string[];
  contradictions: string[];
};

export const concerns = ['waits', 'requests', 'connections', 'memory'] as const;
export type Concern = (typeof concerns)[number];

export type Timing = {
  /** The first requests are not part of the quiet time. */
  warmMs: number;
  quietMs: number;
  /** The factor of each attack's duration. */
  timeScale: number;
  /** The factor of the attack's sizes. */
  scale: number;
  /** The longest wait for the recovery. */
  patienceMs: number;
};

/** The least bound of a bystander's wait. */
const MAX_WAIT_MS = 100;
/** The bound as a factor of the quiet wait. The greater bound holds. */
const MAX_WAIT_FACTOR = 3;

/** Returns the longest wait that a bystander may have. */
export const waitBound = (quiet: Waits): number => Math.max(MAX_WAIT_MS, quiet.p99 * MAX_WAIT_FACTOR);

/**
 * Memory has recovered when it is at most this much above the initial value. Filled caches account for the
 * rest.
 */
const KEPT_MB = 150;
const POLL_MS = 100;

/** Runs one attack on a gateway. Measures it before, during, and until it has recovered. */
export async function runAttack(
  { server, upstream }: AttackedGateway,
  attack: Attack,
  { warmMs, quietMs, timeScale, scale, patienceMs }: Timing,
): Promise<Outcome> {
  const gauge = new ServerGauge(server);
  const attacker = new AttackerProcess();
  const { key } = await server.createKey(attack.plan);
  const { url, adminToken, configFile } = server;
  await attacker.prepare(attack.name, { url, adminToken, configFile, key, scale });
  const bystanderKey = await server.createKey('pro');
  const bystander = new Bystander({ url, upstream, key: bystanderKey.key, ...attack.bystander });
  await Bun.sleep(warmMs);
  const quietFrom = performance.now();
  await Bun.sleep(quietMs);
  const before = await gauge.inUse();
  const quietMb = gauge.residentMb();
  gauge.forgetPeak();
  const attackedFrom = performance.now();
  const report = await attacker.attack(attack.ms * timeScale);
  const endedAt = performance.now();
  const peakMb = gauge.peakMb();
  const quiet = waitsBetween(bystander.samples, quietFrom, attackedFrom);
  const recovery = new Recovery({ gauge, bystander, endedAt, before, quietMb, bound: waitBound(quiet) });
  const back = await recovery.watch(patienceMs);
  await bystander.stop();
  const during = waitsBetween(bystander.samples, attackedFrom, endedAt);
  const control = waitsBetween(bystander.controls, attackedFrom, endedAt);
  return {
    name: attack.name,
    attacker: report.statuses,
    quiet,
    during,
    control,
    quietMb,
    peakMb,
    back,
    ...(await compareLedger(server, report, bystander)),
  };
}

async function compareLedger(
  { admin, dataDirectory }: AttackedGateway['server'],
  { complete }: AttackReport,
  { samples }: Bystander,
) {
  const { body } = await admin('GET', '/ledger/verify');
  const billed = new Set(readBilled(dataDirectory).map(({ requestId }) => requestId));
  const answered = samples.flatMap(({ status, requestId = '' }) => (status === 200 ? [requestId] : []));
  return {
    lost: [...complete, ...answered].filter((id) => !billed.has(id)),
    contradictions: [
      ...findContradictions(dataDirectory),
      ...(body.faults as unknown[]).map((fault) => `verify: ${JSON.stringify(fault)}`),
    ],
  };
}

/** The niceness of the attacker. Real attackers have other machines, so it takes little of this one. */
const NICENESS = 5;

/** The attacker in its process. */
class AttackerProcess {
  readonly #ready = Promise.withResolvers<void>();
  readonly #done = Promise.withResolvers<AttackReport>();
  readonly #child = spawnProcess('attacker', NICENESS, (message) =>
    this.#receive(message as AttackerMessage),
  );

  prepare(name: string, target: PrepareCommand['target']): Promise<void> {
    this.#send({ type: 'prepare', name, target });
    return this.#ready.promise;
  }

  /** Attacks for this time, and ends the process with all its connections. */
  async attack(ms: number): Promise<AttackReport> {
    this.#send({ type: 'attack', ms });
    const report = await this.#done.promise;
    this.#child.kill('SIGKILL');
    return report;
  }

  #send(command: AttackerCommand): void {
    this.#child.send(command);
  }

  #receive(message: AttackerMessage): void {
    if (message.type === 'ready') this.#ready.resolve();
    else if (message.type === 'done') this.#done.resolve(message.report);
    else {
      this.#ready.reject(new Error(message.why));
      this.#done.reject(new Error(message.why));
    }
  }
}

type RecoveryParts = {
  gauge: ServerGauge;
  bystander: Bystander;
  endedAt: number;
  before: Awaited<ReturnType<ServerGauge['inUse']>>;
  quietMb: number;
  bound: number;
};

/** Notes when each concern has recovered. The bystander continues to send requests. */
class Recovery {
  readonly #parts: RecoveryParts;
  readonly #back: Outcome['back'] = {
    waits: undefined,
    requests: undefined,
    connections: undefined,
    memory: undefined,
  };

  constructor(parts: RecoveryParts) {
    this.#parts = parts;
  }

  async watch(patienceMs: number): Promise<Outcome['back']> {
    const { endedAt } = this.#parts;
    do {
      await Bun.sleep(POLL_MS);
      await this.#look();
    } while (
      !concerns.every((one) => this.#back[one] !== undefined) &&
      performance.now() < endedAt + patienceMs
    );
    return this.#back;
  }

  async #look(): Promise<void> {
    const { gauge, before, quietMb, endedAt } = this.#parts;
    const inUse = await gauge.inUse();
    const isBack: Record<Concern, boolean> = {
      waits: this.#areWaitsBack(),
      requests: inUse.requests <= before.requests + OF_BYSTANDER && inUse.queued <= OF_BYSTANDER,
      connections: inUse.connections <= before.connections + OF_BYSTANDER,
      memory: gauge.residentMb() <= quietMb + KEPT_MB,
    };
    for (const one of concerns) if (isBack[one]) this.#back[one] ??= performance.now() - endedAt;
  }

  /** Reports whether the bystander's latest requests were all answered in time. */
  #areWaitsBack(): boolean {
    const { bystander, bound } = this.#parts;
    const now = performance.now();
    const { p99, failed } = waitsBetween(bystander.samples, now - bound - LAST_MS, now - bound);
    return failed.length === 0 && p99 <= bound;
  }
}

const LAST_MS = 200;
/** The most requests and connections of the bystander, which come and go while the counters are read. */
const OF_BYSTANDER = 4;
