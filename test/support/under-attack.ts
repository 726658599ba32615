import { countUp } from '../../src/base/lib/testing/count-up.ts';
import type { Answer } from './call.ts';
import { residentMb } from './process-memory.ts';

/** Counts the answers by status. */
export type Statuses = Record<number, number>;

export type AttackResult = {
  /** The answers to the attacker. */
  attacker: Statuses;
  /** The 99th percentile of the bystander's waits in milliseconds, before the attack and during it. */
  quietP99: number;
  p99: number;
  /** The requests of the bystander that were answered during the attack. */
  answered: number;
  /** The memory of the server in MB before the attack, and the most that was seen during it. */
  quietMb: number;
  peakMb: number;
};

type Attack = {
  pid: number;
  connections: number;
  /** The duration of the attack. */
  ms: number;
  /** The attack continues until an answer has this status, which a busy machine reaches late. */
  status?: number;
  attack(number: number): Promise<Answer>;
  /** Sends the bystander's repeated request, which must succeed. */
  bystander(): Promise<Answer>;
};

const SAMPLE_MS = 20;
const MAX_MS = 30_000;
const QUIET_REQUESTS = 50;

/** Runs an attack while a bystander continues, and reports both. */
export async function underAttack({
  pid,
  connections,
  ms,
  status: wanted,
  attack,
  bystander,
}: Attack): Promise<AttackResult> {
  for (let warm = 0; warm < QUIET_REQUESTS; warm++) await timed(bystander);
  const quiet: number[] = [];
  for (let sent = 0; sent < QUIET_REQUESTS; sent++) quiet.push(await timed(bystander));
  const quietMb = reportedMb(pid);
  let peakMb = quietMb;
  const sampling = setInterval(() => {
    peakMb = Math.max(peakMb, reportedMb(pid));
  }, SAMPLE_MS);
  const from = performance.now();
  const attacker: Statuses = {};
  const isLacking = () => wanted !== undefined && attacker[wanted] === undefined;
  const isOn = () => performance.now() < from + (isLacking() ? MAX_MS : ms);
  let number = 0;
  const attacking = Array.from({ length: connections }, async () => {
    while (isOn()) {
      const { status } = await attack(number++);
      countUp(attacker, status);
    }
  });
  const waits: number[] = [];
  while (isOn()) waits.push(await timed(bystander));
  await Promise.all(attacking);
  clearInterval(sampling);
  const result = { attacker, quietP99: p99(quiet), p99: p99(waits), answered: waits.length, quietMb, peakMb };
  console.log(`under attack: ${JSON.stringify(result)}`);
  return result;
}

async function timed(ask: () => Promise<Answer>): Promise<number> {
  const from = performance.now();
  const { status, text } = await ask();
  if (status !== 200) throw new Error(`the bystander was answered ${status}: ${text}`);
  return Math.round((performance.now() - from) * 10) / 10;
}

const p99 = (waits: readonly number[]): number =>
  waits.toSorted((one, other) => one - other)[Math.floor(waits.length * 0.99)] ?? 0;

/** Returns the resident memory of a process in whole MB, or 0 on a system that does not report it. */
function reportedMb(pid: number): number {
  try {
    return Math.round(residentMb(pid));
  } catch {
    return 0;
  }
}
