import { runCommandLine } from './cli/run-command-line.ts';
import { processTerminal } from './cli/terminal.ts';

// Set instead of exiting: what is still being written to a pipe gets out.
process.exitCode = await runCommandLine(process.argv.slice(2), processTerminal);
