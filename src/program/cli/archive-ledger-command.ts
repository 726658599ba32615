import { counted } from '../../base/lib/counted.ts';
import { archiveLedger } from '../../money/ledger/archive-ledger.ts';
import { archiveView } from '../../money/ledger/archive-view.ts';
import { closedBefore } from '../../money/ledger/closed-before.ts';
import { callAdmin } from './call-admin.ts';
import type { Run } from './command.ts';
import { CommandFailure, UsageError } from './command-failure.ts';
import type { Invocation } from './invocation.ts';
import { LEDGER_TIMEOUT_MS } from './ledger-timeout.ts';
import { printJson } from './print-answer.ts';
import { stoppedDirectory, withStoppedStore } from './stopped-store.ts';

type Archive = ReturnType<typeof archiveView>;

/** Moves entries of closed months into compressed files. A running server does it itself. */
export const archiveLedgerCommand: Run = async (invocation) => {
  const month = invocation.text('before');
  if (month === undefined) throw new UsageError('--before MONTH is missing');
  const directory = stoppedDirectory(invocation);
  const archive: Archive =
    directory === undefined
      ? await callAdmin(invocation, 'POST /ledger/archive', {
          body: { before: month },
          timeoutMs: LEDGER_TIMEOUT_MS,
        })
      : await archiveStopped(directory, month);
  print(invocation, archive);
  return 0;
};

function archiveStopped(directory: string, month: string): Promise<Archive> {
  const at = Date.now();
  const before = closedBefore(month, at);
  if (before === undefined)
    throw new UsageError('--before must be a month such as 2026-10, and at most the current month');
  return withStoppedStore(directory, async (store) => {
    const outcome = await archiveLedger(store.ledger, before);
    if ('problem' in outcome) throw new CommandFailure(outcome.problem);
    const view = archiveView(month, outcome);
    const audit = { actor: 'command-line', action: 'ledger-archive', target: 'ledger' } as const;
    await store.recordAudit({ at, ...audit, before: null, after: view });
    return view;
  });
}

function print(invocation: Invocation, archive: Archive): void {
  const { before, entries, segments, bytes } = archive;
  if (invocation.flag('json')) printJson(invocation, archive);
  else if (entries === 0) invocation.terminal.print(`No entries from before ${before} are left to move.`);
  else
    invocation.terminal.print(
      `Moved ${counted(entries, 'entry', 'entries')} from before ${before} into ${counted(segments, 'file')} of ${counted(bytes, 'byte')}.`,
    );
}
