import { descriptorLimit } from '../../base/lib/descriptor-limit.ts';
import { msOf } from '../../base/lib/units.ts';
import { connectionsPerNetwork } from '../../edge/connections/connections-per-network.ts';
import type { ListenOptions } from '../../edge/http/listen.ts';
import { countedNetwork } from '../../settings/config/client-network.ts';
import type { SnapshotSource } from '../../settings/snapshot/snapshot.ts';
import type { ConnectionMetrics } from '../../watch/observability/connection-metrics.ts';
import type { WorkerAssignment } from '../workers/worker-assignment.ts';

/** Returns the address and the connection limits of the server. A reload changes the limits. */
export function listenOptions(
  holder: SnapshotSource,
  metrics: ConnectionMetrics,
  assignment?: WorkerAssignment,
): ListenOptions {
  const { host, port, header_timeout_s } = holder.current.config.server;
  const perNetwork = connectionsPerNetwork(descriptorLimit());
  return {
    hostname: host,
    port: assignment?.port ?? port,
    sharesPort: assignment !== undefined,
    headerTimeoutS: header_timeout_s,
    times() {
      const { server, limits } = holder.current.config;
      return {
        idleMs: msOf(server.idle_timeout_s),
        headMs: msOf(server.header_timeout_s),
        stalledMs: msOf(limits.stalled_write_s),
      };
    },
    perNetwork: () => holder.current.config.server.connections_per_network ?? perNetwork,
    networkOf: (address) => countedNetwork(address, holder.current.trustedProxies),
    closed: (reason, { network }) => metrics.closed(reason, network),
  };
}
