import { join } from 'node:path';
import type { Peer } from './peer.ts';
import { startPeer } from './start-peer.ts';

/** Debian installs haproxy in a directory that is not in an ordinary user's PATH. */
export const findHaproxy = (): string | null =>
  Bun.which('haproxy', { PATH: `${process.env.PATH ?? ''}:/usr/sbin:/usr/local/sbin` });

/** The baseline: a proxy in C with one thread that does not parse bodies. */
export const haproxy: Peer = {
  name: 'haproxy',
  title: 'haproxy',
  language: 'C',
  version: 'haproxy',
  installation: null,
  metering: 'none: it passes bytes on, with one thread',
  omits: 'keys, models, limits, usage and prices',
  async start(inputs) {
    const program = inputs.programs.haproxy ?? findHaproxy();
    if (program === null) throw new Error('not installed (Debian package haproxy)');
    return startPeer(inputs, {
      name: 'haproxy',
      buildCommand: () => [program, '-db', '-f', join(import.meta.dir, 'haproxy.cfg')],
      environment: ({ port }) => ({
        BENCH_PORT: String(port),
        BENCH_UPSTREAM_PORT: String(inputs.upstreamPort),
      }),
    });
  },
};
