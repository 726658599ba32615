import { join } from 'node:path';
import { findFreePort } from '../find-free-port.ts';
import type { Surroundings, SystemUnderTest } from '../system-under-test.ts';
import { waitUntilAnswering } from '../wait-until-answering.ts';

/** Debian installs haproxy in a directory that is not in an ordinary user's PATH. */
export const findHaproxy = (): string | null =>
  Bun.which('haproxy', { PATH: `${process.env.PATH ?? ''}:/usr/sbin:/usr/local/sbin` });

/** The baseline: a proxy in C with one thread that does not parse bodies. */
export async function startHaproxy(surroundings: Surroundings): Promise<SystemUnderTest> {
  const { children, upstreamPort, directory } = surroundings;
  const program = findHaproxy();
  if (program === null) throw new Error('not installed (Debian package haproxy)');
  const port = findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const logFile = join(directory, 'haproxy.log');
  const environment = { BENCH_PORT: String(port), BENCH_UPSTREAM_PORT: String(upstreamPort) };
  const command = [program, '-db', '-f', join(import.meta.dir, 'haproxy.cfg')];
  const child = children.start({ command, logFile, environment });
  await waitUntilAnswering({ url, child, logFile });
  return { name: 'haproxy', pid: child.pid, url, headers: {} };
}
