import { systemClock } from '../../../base/lib/clock.ts';
import type { Snapshot } from '../../../settings/snapshot/snapshot.ts';
import type { Edge, EdgeObserver } from '../edge.ts';
import type { Route } from '../route.ts';
import { Router } from '../router.ts';
import { UnderWay } from '../under-way.ts';

/** Creates an edge that serves routes without a port. By default it throws the errors of handlers again. */
export const createTestEdge = (
  routes: readonly Route[],
  snapshot: Snapshot,
  onFailure: EdgeObserver['onFailure'] = (_, error) => {
    throw error;
  },
): Edge => ({
  router: new Router(routes),
  snapshot: () => snapshot,
  clock: systemClock,
  closesConnections: () => false,
  underWay: new UnderWay(),
  observer: { opened() {}, answered() {}, finished() {}, onFailure },
});
