import { callAdmin } from './admin-client.ts';
import type { Command, IdKind, Run } from './command.ts';
import { UsageError } from './command-failure.ts';
import { bashCompletion } from './complete-bash.ts';
import { fishCompletion } from './complete-fish.ts';
import { zshCompletion } from './complete-zsh.ts';
import type { Invocation } from './invocation.ts';
import { readProfiles } from './profiles.ts';

const shells = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const;

export type Shell = keyof typeof shells;

/** Prints the completion of a shell for these commands, or the ids that it offers. */
export const completionOf =
  (commands: readonly Command[]): Run =>
  async (invocation) => {
    const kind = invocation.text('ids') as IdKind | undefined;
    const shell = invocation.positional('SHELL') as Shell | undefined;
    if (kind !== undefined) await printIds(invocation, kind);
    else if (shell === undefined) throw new UsageError('SHELL is missing');
    else invocation.terminal.print(shells[shell](commands));
    return 0;
  };

const MOST_IDS = 1_000;

const lists = {
  accounts: `/accounts?limit=${MOST_IDS}`,
  batches: `/batches?limit=${MOST_IDS}`,
  models: '/catalog',
  providers: '/providers',
} as const;

async function printIds(invocation: Invocation, kind: IdKind): Promise<void> {
  const ids =
    kind === 'profiles'
      ? Object.keys(readProfiles(invocation.terminal.environment))
      : await idsOfServer(invocation, lists[kind]);
  if (ids.length > 0) invocation.terminal.print(ids.join('\n'));
}

async function idsOfServer(invocation: Invocation, path: string): Promise<string[]> {
  const { data } = await callAdmin(invocation, { path, timeoutMs: 2_000 });
  return data.map(({ id }: { id: string }) => id);
}
