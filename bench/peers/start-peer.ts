import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { SystemName } from '../benchmark-report.ts';
import { findFreePort } from '../find-free-port.ts';
import type { SystemUnderTest } from '../system-under-test.ts';
import { waitUntilAnswering } from '../wait-until-answering.ts';
import type { PeerInputs } from './peer.ts';

type PeerSettings = {
  name: SystemName;
  /** Builds the command. The folder is empty, and the peer may write there. */
  buildCommand: (place: { port: number; folder: string }) => string[] | Promise<string[]>;
  environment?: (place: { port: number; folder: string }) => Record<string, string>;
  /** The path that is polled, `/` by default. Any answer counts. */
  readyPath?: string;
  startMs?: number;
  /** The headers of each request. */
  headers?: Record<string, string>;
};

/** Starts a peer in a folder of its own and waits until it answers. */
export async function startPeer(
  { children, directory }: PeerInputs,
  { name, buildCommand, environment, readyPath = '/', startMs = 20_000, headers = {} }: PeerSettings,
): Promise<SystemUnderTest> {
  const folder = join(directory, name);
  mkdirSync(folder, { recursive: true });
  const port = findFreePort();
  const logFile = join(folder, 'log');
  const child = children.start({
    command: await buildCommand({ port, folder }),
    logFile,
    environment: environment?.({ port, folder }) ?? {},
    directory: folder,
  });
  const url = `http://127.0.0.1:${port}`;
  await waitUntilAnswering({ url: url + readyPath, child, logFile, timeoutMs: startMs });
  return { name, pid: child.pid, url, headers };
}
