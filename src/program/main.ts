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

// Set instead of exiting: what is still being written to a pipe gets out.
process.exitCode = await runCommandLine(process.argv.slice(2), processTerminal);
