import { resolve } from 'node:path';
import { Unavailable } from '../../base/errors/unavailable.ts';
import { codeOfError } from '../../base/lib/error-code.ts';
import { messageOfError } from '../../base/lib/message-of-error.ts';
import { readWorkerAssignment } from '../workers/worker-assignment.ts';
import { CommandFailure } from './command-failure.ts';
import type { Invocation } from './invocation.ts';
import { INTERRUPTED, ProcessSignals, type StopSignal } from './process-signals.ts';

/** Runs the server until a signal stops it. */
export async function serveCommand(invocation: Invocation): Promise<number> {
  // The supervisor's end disconnects the worker, so a worker without one obeys a second signal again.
  const isWorker = readWorkerAssignment(process.env) !== undefined;
  const signals = new ProcessSignals(process, () => isWorker && process.connected);
  // Imported here, since loading takes 200 ms and the signal handlers must be installed first.
  const { configFileOf } = await import('../../settings/config/environment-overrides.ts');
  const { serve } = await import('../server/serve.ts');
  const { environment } = invocation.terminal;
  const file = configFileOf(invocation.text('config'), environment);
  const start = startOrExplain(() =>
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
      // The code is loaded on demand, since most servers are never examined.
      examine: async (server, how) =>
        (await import('./doctor/examine-running.ts')).examineRunning(server, how),
      ...countedOutput(),
      isTerminal: Boolean(process.stdout.isTTY),
      isStopping: () => signals.isStopping,
    }),
  );
  const running = await start.catch((error: unknown) => {
    if (!signals.isStopping) throw error;
  });
  if (!running) return codeOf(await signals.stopped);
  if ('reasons' in running) {
    for (const reason of running.reasons) invocation.terminal.remark(reason);
    return 1;
  }
  if ('code' in running) return signals.isStopping ? codeOf(await signals.stopped) : running.code;
  signals.onReload(running.reload);
  // A signal during the start needs no notice, since no load balancer has seen the server ready.
  const wasReady = !signals.isStopping;
  const signal = await signals.stopped;
  await running.stop({ hasNotice: wasReady && signal === 'SIGTERM' });
  const code = codeOf(signal);
  // Exits once the output is written. Otherwise an unaccepted connection to an upstream would keep the
  // process alive for minutes.
  process.stdout.write('', () => process.exit(code));
  return code;
}

const codeOf = (signal: StopSignal): number => (signal === 'SIGINT' ? INTERRUPTED : 0);

/**
 * Counts the characters not yet written. The runtime does not expose its buffer, but reports when a write
 * completes.
 */
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

/** Reports an operator's error in one line. Any other error is a bug and keeps its stack. */
async function startOrExplain<T>(start: () => Promise<T>): Promise<T> {
  try {
    return await start();
  } catch (error) {
    if (error instanceof Unavailable) throw new CommandFailure(`${error.sentence} The server did not start.`);
    const code = codeOfError(error);
    const message = messageOfError(error);
    if (code === 'EADDRINUSE') {
      const port = /\d+/.exec(message)?.[0];
      throw new CommandFailure(
        `port ${port} is in use: choose another with --port, or stop the program that uses it`,
      );
    }
    if (code === 'EACCES') throw new CommandFailure(message);
    throw error;
  }
}
