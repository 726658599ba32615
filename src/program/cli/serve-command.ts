import { resolve } from 'node:path';
import { Unavailable } from '../../base/errors/unavailable.ts';
import { CommandFailure } from './command-failure.ts';
import type { Invocation } from './invocation.ts';
import { ProcessSignals } from './process-signals.ts';

/** Runs until a signal ends it. */
export async function run(invocation: Invocation): Promise<number> {
  const signals = new ProcessSignals(process);
  // Not at the head of the file: to read them takes 200 ms, and signals are heard by then.
  const { configFileOf } = await import('../../settings/config/environment-overrides.ts');
  const { serve } = await import('../server/serve.ts');
  const { environment } = invocation.terminal;
  const file = configFileOf(invocation.text('config'), environment);
  const running = await startOrExplain(() =>
    serve({
      origin: {
        file: file === null ? null : resolve(file),
        environment,
        overrides: {
          port: invocation.number('port'),
          host: invocation.text('host'),
          data: invocation.text('data'),
          workers: invocation.number('workers'),
        },
      },
      ...countedOutput(),
      isTerminal: Boolean(process.stdout.isTTY),
    }),
  );
  if ('reasons' in running) {
    for (const reason of running.reasons) invocation.terminal.remark(reason);
    return 1;
  }
  signals.onReload(running.reload);
  await signals.stopped;
  await running.stop();
  // Behind what is still to be written; a connection that an upstream never took would hold the process for minutes.
  process.stdout.write('', () => process.exit(0));
  return 0;
}

/** The runtime does not tell how much it still holds for a slow reader, but it tells when a write is through. */
function countedOutput() {
  let waiting = 0;
  const write = (text: string) => {
    waiting += text.length;
    process.stdout.write(text, () => {
      waiting -= text.length;
    });
  };
  return { write, backlog: () => waiting };
}

/** What a person can mend is said in one line; anything else is a bug and keeps its stack. */
async function startOrExplain<T>(start: () => Promise<T>): Promise<T> {
  try {
    return await start();
  } catch (error) {
    if (error instanceof Unavailable)
      throw new CommandFailure(`${error.sentence} The server has not started.`);
    const { code, message } = error as { code?: string; message: string };
    if (code === 'EADDRINUSE') {
      const port = /\d+/.exec(message)?.[0];
      throw new CommandFailure(`port ${port} is in use: choose another with --port, or stop what uses it`);
    }
    if (code === 'EACCES' || code === 'EADDRNOTAVAIL') throw new CommandFailure(message);
    throw error;
  }
}
