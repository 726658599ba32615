import { INTERRUPTED } from './cli/process-signals.ts';
import { runCommandLine } from './cli/run-command-line.ts';
import { surviveOutputErrors } from './cli/survive-output-errors.ts';
import { processTerminal } from './cli/terminal.ts';

surviveOutputErrors({
  streams: [
    { name: 'standard output', stream: process.stdout },
    { name: 'standard error', stream: process.stderr },
  ],
  survives: process.argv[2] === 'serve',
});

// These commands stop their processes and requests before they exit.
if (!['serve', 'simulate', 'bench'].includes(process.argv[2] ?? ''))
  process.on('SIGINT', () => process.exit(INTERRUPTED));

// Sets the exit code and does not exit, so that pending output to a pipe is written.
void runCommandLine(process.argv.slice(2), processTerminal).then((code) => {
  process.exitCode = code;
});
