import type { Environment } from '../../base/lib/environment.ts';
import { withSecretFiles } from '../../settings/config/secret-file.ts';

/** The output streams and the environment of a command. */
export type Terminal = {
  /** Writes data to standard output. */
  print(text: string): void;
  /** Writes errors and notes to standard error. */
  remark(text: string): void;
  environment: Environment;
  /** True if standard output is a terminal that shows colours. */
  hasColour?: boolean;
  /** Reports whether the reader of standard output has left, as `head` does. Undefined if none can leave. */
  isOutputClosed?: () => boolean;
  /** Asks the operator for a line. Undefined if the command does not run on a terminal. */
  ask?: (question: string) => Promise<string>;
};

const hasColour = Boolean(process.stdout.isTTY) && !process.env.NO_COLOR && process.env.TERM !== 'dumb';
const isAttended = Boolean(process.stdin.isTTY && process.stderr.isTTY);

async function askOnTerminal(question: string): Promise<string> {
  const { createInterface } = await import('node:readline/promises');
  // Without terminal mode, Ctrl-C stays a signal.
  const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: false });
  // The input can end without an answer.
  const ended = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
  try {
    return await Promise.race([lines.question(question), ended]);
  } finally {
    lines.close();
  }
}

export const processTerminal: Terminal = {
  print: (text) => void process.stdout.write(`${text}\n`),
  remark: (text) => void process.stderr.write(`${text}\n`),
  environment: withSecretFiles(process.env),
  hasColour,
  isOutputClosed: () => !process.stdout.writable,
  ...(isAttended && { ask: askOnTerminal }),
};
