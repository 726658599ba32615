import { namesOf } from '../../src/base/lib/names.ts';
import { type Listener, listen } from '../../src/edge/http/listen.ts';
import type { Route } from '../../src/edge/http/route.ts';
import { createTestEdge } from '../../src/edge/http/testing/create-test-edge.ts';
import type { Snapshot } from '../../src/settings/snapshot/snapshot.ts';

const TIMEOUT_MS = 60_000;

/** The settings that the edge reads. */
const settings = {
  names: namesOf('svc'),
  trustedProxies: [],
  config: {
    server: { cors: { origins: [] }, idle_timeout_s: 75, header_timeout_s: 10 },
    limits: { stalled_write_s: 60 },
  },
};

/** Serves routes on a free port of this process. */
export const listenOnRoutes = (routes: readonly Route[]): Listener =>
  listen(createTestEdge(routes, settings as unknown as Snapshot), {
    hostname: '127.0.0.1',
    port: 0,
    headerTimeoutS: 10,
    times: () => ({ idleMs: TIMEOUT_MS, headMs: TIMEOUT_MS, stalledMs: TIMEOUT_MS }),
    perNetwork: () => 10_000,
    networkOf: () => undefined,
    closed() {},
  });
