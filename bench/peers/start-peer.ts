import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { SystemName } from '../benchmark-report.ts';
import { findFreePort } from '../find-free-port.ts';
import type { SystemUnderTest } from '../system-under-test.ts';
import { waitUntilAnswering } from '../wait-until-answering.ts';
import type { PeerInputs } from './peer.ts';

export type PeerSettings = {
  name: SystemName;
  /** Builds the command. The folder is empty, and the peer may write there. */
  buildCommand: (place: { port: number; folder: string }) => string[] | Promise<string[]>;
  environment?: (place: { port: number; folder: string }) => Record<string, string>;
  /** The path that is polled, `/` by default. Any answer counts. */
  readyPath?: string;
  startMs?: number;
};

export type StartedPeer = { pid: number; url: string; port: number; folder: string };

/** Starts a peer in a folder of its own and waits until it answers. */
export async function startPeer(
  { children, directory }: PeerInputs,
  { name, buildCommand, environment, readyPath = '/', startMs }: PeerSettings,
): Promise<StartedPeer> {
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
  await waitUntilAnswering({ url: url + readyPath, child, logFile, timeoutMs: startMs ?? 20_000 });
  return { pid: child.pid, url, port, folder };
}

/** Returns what `startPeer` started as a system that takes requests with these headers. */
export const systemOf = (
  name: SystemName,
  { pid, url }: StartedPeer,
  headers: Record<string, string>,
): SystemUnderTest => ({ name, pid, url, headers });
