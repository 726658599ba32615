import { join } from 'node:path';
import { findFreePort } from './find-free-port.ts';
import { waitUntilAnswering } from './wait-until-answering.ts';
import type { Workplace } from './workplace.ts';

type UpstreamSettings = Workplace & { streamIntervalMs: number };

/** Starts the static upstream as a separate process and returns its port. */
export async function startUpstream({
  children,
  directory,
  streamIntervalMs,
}: UpstreamSettings): Promise<number> {
  const port = findFreePort();
  const logFile = join(directory, 'upstream.log');
  const program = join(import.meta.dir, 'upstream-server.ts');
  const command = [process.execPath, program, String(port), String(streamIntervalMs)];
  const child = children.start({ command, logFile });
  await waitUntilAnswering({ url: `http://127.0.0.1:${port}/`, child, logFile });
  return port;
}
