import { CommandFailure } from './command-failure.ts';
import type { Invocation } from './invocation.ts';

export const yesOption = { kind: 'flag', summary: 'Does not ask for confirmation' } as const;

/**
 * Asks on a terminal before a change that is hard to undo.
 * Scripts have nobody to ask, so they are not held up.
 */
export async function confirm(invocation: Invocation, question: string): Promise<void> {
  const { ask } = invocation.terminal;
  if (ask === undefined || invocation.flag('yes')) return;
  const answer = await ask(`${question} [y/N] `);
  if (!/^y(es)?$/i.test(answer.trim())) throw new CommandFailure('nothing was changed');
}
