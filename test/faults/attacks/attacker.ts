import { messageOfError } from '../../../src/base/lib/message-of-error.ts';
import { countUp } from '../../../src/base/lib/testing/count-up.ts';
import type { Answer } from '../../support/call.ts';
import type { AttackReport, AttackSession, Target } from './attack.ts';
import { attackNamed } from './attack-table.ts';

// The attacker as a program. It prepares, reports that it is ready, attacks on request, and reports the
// answers.

export type PrepareCommand = { type: 'prepare'; name: string; target: Target };
export type AttackerCommand = PrepareCommand | { type: 'attack'; ms: number };
export type AttackerMessage =
  | { type: 'ready' }
  | { type: 'done'; report: AttackReport }
  | { type: 'failed'; why: string };

const controller = new AbortController();
const report: AttackReport = { statuses: {}, complete: [] };
const begun = Promise.withResolvers<number>();
const send = (message: AttackerMessage): void => void process.send?.(message);
const noteStatus = (status: number): void => void countUp(report.statuses, status);

const sessionOf = (target: Target): AttackSession => ({
  ...target,
  signal: controller.signal,
  scaled: (count) => Math.max(1, Math.ceil(count * target.scale)),
  noteStatus,
  noteBilled({ status, headers }: Answer) {
    noteStatus(status);
    const id = headers.get('x-svc-request-id');
    if (status === 200 && id !== null) report.complete.push(id);
  },
});

async function attack(name: string, target: Target): Promise<void> {
  const { prepare, run } = attackNamed(name);
  const session = sessionOf(target);
  const prepared = await prepare?.(session);
  send({ type: 'ready' });
  const forMs = await begun.promise;
  setTimeout(() => controller.abort(), forMs);
  await run(session, prepared);
  send({ type: 'done', report });
}

process.on('message', (command: AttackerCommand) => {
  if (command.type === 'attack') return begun.resolve(command.ms);
  attack(command.name, command.target).catch((error: unknown) =>
    send({ type: 'failed', why: messageOfError(error) }),
  );
});
