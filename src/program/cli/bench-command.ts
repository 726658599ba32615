import { runBenchmarkCommand } from '../../../bench/run-benchmark.ts';
import type { Run } from './command.ts';
import { CommandFailure } from './command-failure.ts';

export const bench: Run = async (invocation) => {
  try {
    return await runBenchmarkCommand([...invocation.args]);
  } catch (error) {
    // The first line of the message says what is missing or invalid.
    throw new CommandFailure(`bench: ${(error as Error).message.split('\n')[0]}`);
  }
};
