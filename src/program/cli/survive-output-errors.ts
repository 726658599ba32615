import { writeSync } from 'node:fs';
import type { Writable } from 'node:stream';

export type OutputStream = { name: string; stream: Pick<Writable, 'on'> };

export type OutputErrors = {
  streams: readonly OutputStream[];
  /**
   * True for a server, which continues without its log. Other commands fail when their output cannot be
   * written.
   */
  survives: boolean;
  remark?: (line: string) => void;
  exit?: (code: number) => void;
};

/** Handles errors of the output streams. A full disk is reported in one line and never stops a server. */
export function surviveOutputErrors({
  streams,
  survives,
  remark = remarkAtOnce,
  exit = process.exit,
}: OutputErrors): void {
  let isSaid = false;
  const fail = (name: string, error: NodeJS.ErrnoException): void => {
    // A reader that closes the pipe early, as in `tollgate account list | head -1`, is not an error.
    if (error.code === 'EPIPE') return;
    if (!isSaid) remark(`tollgate: cannot write to ${name}: ${error.message}`);
    isSaid = true;
    if (!survives) exit(1);
  };
  for (const { name, stream } of streams) stream.on('error', (error) => fail(name, error));
}

/** Writes to the descriptor, since the stream may have failed. If this fails too, the message is lost. */
function remarkAtOnce(line: string): void {
  try {
    writeSync(2, `${line}\n`);
  } catch {
    // Nobody reads the errors either.
  }
}
