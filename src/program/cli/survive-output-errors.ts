import { writeSync } from 'node:fs';
import type { Writable } from 'node:stream';

export type OutputStream = { name: string; stream: Pick<Writable, 'on'> };

export type OutputErrors = {
  streams: readonly OutputStream[];
  /** A server goes on without its log; a command whose answer cannot be written has failed. */
  goesOn: boolean;
  remark?: (line: string) => void;
  exit?: (code: number) => void;
};

/** Handles errors of what the program writes to: a full disk is said in one line, and never ends a server. */
export function surviveOutputErrors({
  streams,
  goesOn,
  remark = remarkAtOnce,
  exit = process.exit,
}: OutputErrors): void {
  let isSaid = false;
  const fail = (name: string, error: NodeJS.ErrnoException): void => {
    // `tollgate account list | head -1`: that nobody reads the rest is no reason to fail, or to stop serving.
    if (error.code === 'EPIPE') return;
    if (!isSaid) remark(`tollgate: cannot write to ${name}: ${error.message}`);
    isSaid = true;
    if (!goesOn) exit(1);
  };
  for (const { name, stream } of streams) stream.on('error', (error) => fail(name, error));
}

/** Past the streams, since one of them has failed; where this fails too there is nobody left to tell. */
function remarkAtOnce(line: string): void {
  try {
    writeSync(2, `${line}\n`);
  } catch {}
}
