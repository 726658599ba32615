import { runCommandLine } from './cli/run-command-line.ts';
import { processTerminal } from './cli/terminal.ts';

// `tollgate account list | head -1`: that nobody reads the rest is no reason to fail, or to stop serving.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

// Set instead of exiting: what is still being written to a pipe gets out.
process.exitCode = await runCommandLine(process.argv.slice(2), processTerminal);
