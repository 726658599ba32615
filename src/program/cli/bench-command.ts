import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { messageOfError } from '../../base/lib/message-of-error.ts';
import type { Run } from './command.ts';
import { CommandFailure } from './command-failure.ts';

/** An installed package has no benchmark. */
const isCheckout = existsSync(join(import.meta.dir, '../../../bench/run-benchmark.ts'));

export const benchCommand: Run = async (invocation) => {
  if (!isCheckout) throw new CommandFailure('bench: the benchmark needs a clone of the repository');
  try {
    const { runBenchmarkCommand } = await import('../../../bench/run-benchmark.ts');
    return await runBenchmarkCommand([...invocation.args]);
  } catch (error) {
    // The first line of the message says what is missing or invalid.
    throw new CommandFailure(`bench: ${messageOfError(error).split('\n')[0]}`);
  }
};
