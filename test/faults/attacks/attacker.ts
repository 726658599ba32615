import { countUp } from '../../../src/base/lib/testing/count-up.ts';
import type { Answer } from '../../support/call.ts';
import type { AttackReport, Siege, Target } from './attack.ts';
import { attackNamed } from './attack-table.ts';

// The attacker as a program: it prepares, reports that it is ready, attacks on
// request and reports the answers.

export type Order = { type: 'prepare'; name: string; target: Target } | { type: 'attack'; ms: number };
export type Word =
  | { type: 'ready' }
  | { type: 'over'; report: AttackReport }
  | { type: 'failed'; why: string };

const controller = new AbortController();
const report: AttackReport = { statuses: {}, complete: [] };
const begun = Promise.withResolvers<number>();
const say = (word: Word): void => void process.send?.(word);

const siegeOf = (target: Target): Siege => ({
  ...target,
  signal: controller.signal,
  scaled: (count) => Math.max(1, Math.ceil(count * target.scale)),
  noteStatus: (status) => {
    countUp(report.statuses, status);
  },
  noteBilled({ status, headers }: Answer) {
    this.noteStatus(status);
    const id = headers.get('x-svc-request-id');
    if (status === 200 && id !== null) report.complete.push(id);
  },
});

async function attack(name: string, target: Target): Promise<void> {
  const { prepare, run } = attackNamed(name);
  const siege = siegeOf(target);
  const prepared = await prepare?.(siege);
  say({ type: 'ready' });
  setTimeout(() => controller.abort(), await begun.promise);
  await run(siege, prepared);
  say({ type: 'over', report });
}

process.on('message', (order: Order) => {
  if (order.type === 'attack') return begun.resolve(order.ms);
  attack(order.name, order.target).catch((error: Error) => say({ type: 'failed', why: error.message }));
});
