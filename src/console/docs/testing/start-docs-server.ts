import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chatDescription } from '../../../api/descriptions/chat-description.ts';
import { modelRoutes } from '../../../api/models/model-routes.ts';
import { Refusal } from '../../../base/errors/refusal.ts';
import { systemClock } from '../../../base/lib/clock.ts';
import { partial } from '../../../base/lib/testing/partial.ts';
import { handleRequest } from '../../../edge/http/edge.ts';
import type { Route } from '../../../edge/http/route.ts';
import { createTestEdge } from '../../../edge/http/testing/create-test-edge.ts';
import { fromLoopback } from '../../../edge/http/testing/from-loopback.ts';
import type { Authenticator } from '../../../money/auth/authenticator.ts';
import { readSnapshot } from '../../../settings/snapshot/read-snapshot.ts';
import type { Snapshot } from '../../../settings/snapshot/snapshot.ts';
import type { GatewayMetrics } from '../../../watch/observability/gateway-metrics.ts';
import { operationsRoutes } from '../../../watch/observability/operations-routes.ts';
import { startAdminServer } from '../../admin/testing/test-admin-server.ts';
import { docsRoutes } from '../docs-routes.ts';
import { securityTxtRoute } from '../security-txt-route.ts';

/** Returns a snapshot of the built-in configuration, overridden by these lines. */
async function snapshotOf(yaml: string, isSimulated: boolean): Promise<Snapshot> {
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-docs-'));
  const file = join(directory, 'tollgate.yaml');
  writeFileSync(file, yaml);
  const simulator = isSimulated ? { url: 'http://127.0.0.1:9', apiKey: 'key' } : null;
  const around = {
    supportedWires: new Set(['openai-chat' as const]),
    simulatorFor: () => simulator,
    generation: 1,
  };
  const read = await readSnapshot({ file, environment: {}, overrides: {} }, around);
  rmSync(directory, { recursive: true });
  if ('problems' in read) throw new Error(JSON.stringify(read.problems));
  return read.snapshot;
}

const chat: Route = {
  method: 'POST',
  path: '/v1/chat/completions',
  describe: chatDescription,
  handle: () => new Refusal('internal_error'),
};

/** An authenticator that refuses every request, since no key exists. */
const authenticator = partial<Authenticator>({ authenticateRead: () => new Refusal('missing_api_key') });

/**
 * Builds the documentation of a representative set of routes, and a function that calls them without a port.
 */
export async function startDocsServer({ yaml = '{}', isSimulated = false } = {}) {
  const snapshot = await snapshotOf(yaml, isSimulated);
  const admin = await startAdminServer();
  const operations = operationsRoutes({
    metrics: partial<GatewayMetrics>({}),
    store: { problem: async () => undefined },
    isDraining: () => false,
  });
  const others = [
    chat,
    ...modelRoutes(authenticator, systemClock),
    ...operations,
    ...admin.routes,
    securityTxtRoute(systemClock),
  ];
  const routes = [...others, ...docsRoutes(others)];
  const edge = createTestEdge(routes, snapshot);
  const get = (path: string, headers: Record<string, string> = {}) =>
    handleRequest(
      edge,
      new Request(`http://gate.test${path}`, { headers: { host: 'gate.test', ...headers } }),
      fromLoopback,
    );
  return { admin, routes, snapshot, get, close: admin.close };
}
