import { bashCompletion } from './bash-completion.ts';
import { callAdmin } from './call-admin.ts';
import { type Command, type IdKind, idKinds, type Run, shellNames } from './command.ts';
import { UsageError } from './command-failure.ts';
import { fishCompletion } from './fish-completion.ts';
import type { Invocation } from './invocation.ts';
import { readProfiles } from './profiles.ts';
import { zshCompletion } from './zsh-completion.ts';

const shells = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
} satisfies Record<(typeof shellNames)[number], (commands: readonly Command[]) => string>;

/** Prints the completion of a shell for these commands, or the ids that it offers. */
export const completionCommand =
  (commands: readonly Command[]): Run =>
  async (invocation) => {
    const kind = invocation.choice('ids', idKinds);
    const shell = invocation.choice('SHELL', shellNames);
    if (kind !== undefined) await printIds(invocation, kind);
    else if (shell === undefined) throw new UsageError('SHELL is missing');
    else invocation.terminal.print(shells[shell](commands));
    return 0;
  };

const MAX_IDS = 1_000;
/** A shell waits for the ids. */
const TIMEOUT_MS = 2_000;

const readers = {
  accounts: (invocation) =>
    callAdmin(invocation, 'GET /accounts', { query: { limit: MAX_IDS }, timeoutMs: TIMEOUT_MS }),
  batches: (invocation) =>
    callAdmin(invocation, 'GET /batches', { query: { limit: MAX_IDS }, timeoutMs: TIMEOUT_MS }),
  models: (invocation) => callAdmin(invocation, 'GET /catalog', { timeoutMs: TIMEOUT_MS }),
  providers: (invocation) => callAdmin(invocation, 'GET /providers', { timeoutMs: TIMEOUT_MS }),
} satisfies Record<
  Exclude<IdKind, 'profiles'>,
  (invocation: Invocation) => Promise<{ data: { id: string }[] }>
>;

async function printIds(invocation: Invocation, kind: IdKind): Promise<void> {
  const ids =
    kind === 'profiles'
      ? Object.keys(readProfiles(invocation.terminal.environment))
      : (await readers[kind](invocation)).data.map(({ id }) => id);
  if (ids.length > 0) invocation.terminal.print(ids.join('\n'));
}
