import { runCommandLine } from '../run-command-line.ts';
import type { Terminal } from '../terminal.ts';

type CommandOutcome = { code: number; printed: string; remarked: string };

/** Runs a command line in this process and captures its output, for tests. */
export async function runCaptured(
  args: readonly string[],
  environment: Terminal['environment'] = {},
  operator: Pick<Terminal, 'ask' | 'hasColour' | 'isOutputClosed'> = {},
): Promise<CommandOutcome> {
  const printed: string[] = [];
  const remarked: string[] = [];
  const code = await runCommandLine(args, {
    print: (text) => void printed.push(text),
    remark: (text) => void remarked.push(text),
    environment,
    ...operator,
  });
  return { code, printed: printed.join('\n'), remarked: remarked.join('\n') };
}
