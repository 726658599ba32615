import { CommandFailure } from './command-failure.ts';
import type { Invocation } from './invocation.ts';

export const yesOption = { kind: 'flag', summary: 'Does not ask for confirmation' } as const;

/** Asks before a change that is hard to undo. A command without a terminal, as in a script, does not ask. */
export async function confirm(invocation: Invocation, question: string): Promise<void> {
  const { ask } = invocation.terminal;
  if (ask === undefined || invocation.flag('yes')) return;
  const answer = await ask(`${question} [y/N] `);
  if (!/^y(es)?$/i.test(answer.trim())) throw new CommandFailure('nothing was changed');
}
