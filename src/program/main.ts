import { runCommandLine } from './cli/run-command-line.ts';
import { surviveOutputErrors } from './cli/survive-output-errors.ts';
import { processTerminal } from './cli/terminal.ts';

surviveOutputErrors({
  streams: [
    { name: 'standard output', stream: process.stdout },
    { name: 'standard error', stream: process.stderr },
  ],
  goesOn: process.argv[2] === 'serve',
});

// Sets the exit code and does not exit, so that pending output to a pipe is written.
process.exitCode = await runCommandLine(process.argv.slice(2), processTerminal);
