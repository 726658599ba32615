import type { Route } from '../../edge/http/route.ts';
import { closesConnections } from '../../upstream/capacity/overload.ts';
import type { ConnectionMetrics } from '../../watch/observability/connection-metrics.ts';
import { observeEdge } from '../../watch/observability/observe-edge.ts';
import { acceptsKey } from './accepts-key.ts';
import { firstStartOf } from './accounts-of.ts';
import { type ClosableParts, closeInOrder } from './close-in-order.ts';
import type { Foundation } from './create-foundation.ts';
import { joinNodes } from './join-nodes.ts';
import { listenOptions } from './listen-options.ts';
import { type GatewayListener, openListeners } from './open-listeners.ts';

type ServerParts = ClosableParts & {
  routes: readonly Route[];
  connectionMetrics: ConnectionMetrics;
};

/** A connected gateway: `join`, `listen`, `startDraining` and `close` are called once, in this order. */
export class AssembledServer {
  readonly accounts: ServerParts['serving']['accounts'];
  readonly reload: ServerParts['serving']['reload'];
  readonly logger: Foundation['logger'];
  readonly firstStart: ReturnType<typeof firstStartOf>;
  readonly #foundation: Foundation;
  readonly #parts: ServerParts;
  readonly #edge;

  constructor(foundation: Foundation, parts: ServerParts) {
    const { serving, telemetry } = parts;
    const { logger, storage, clock } = foundation;
    this.#foundation = foundation;
    this.#parts = parts;
    this.accounts = serving.accounts;
    this.reload = serving.reload;
    this.logger = logger;
    this.firstStart = firstStartOf({ ...foundation, installation: storage.installation });
    this.#edge = {
      snapshot: this.snapshot,
      clock,
      observer: observeEdge(logger, serving.metrics, serving.requests.keeper, telemetry),
      closesConnections: () => serving.state.draining || closesConnections(serving.overload.level),
      underWay: serving.underWay,
    };
  }

  readonly snapshot = () => this.#foundation.holder.current;

  readonly inFlight = (): number => this.#parts.serving.metrics.inFlight;

  readonly acceptsKey = (secret: string) =>
    acceptsKey(secret, { ...this.#foundation, store: this.#foundation.storage.store });

  async join(): Promise<void> {
    const { serving, nodeWatch } = this.#parts;
    await serving.requests.content.refresh();
    await joinNodes(this.#foundation, serving);
    await nodeWatch.look();
  }

  listen(): GatewayListener {
    const { serving, connectionMetrics, batches, billing, routes } = this.#parts;
    const { holder, ground } = this.#foundation;
    const listener = openListeners({
      edge: this.#edge,
      routes,
      options: listenOptions(holder, connectionMetrics, ground.worker?.assignment),
      adminListen: holder.current.config.server.admin_listen,
      count: (exchange) => serving.windows.countNetwork(exchange),
    });
    serving.descriptorWatch.guard(listener);
    connectionMetrics.read(listener.connections);
    serving.probes.follow(holder.current.providers);
    serving.providerAlerts.start();
    serving.localServers.lookFrom(listener.port);
    batches.start();
    billing.worker.start();
    billing.shortfalls.start();
    return listener;
  }

  interrupt(): void {
    const { underWay, open } = this.#parts.serving;
    underWay.stop();
    open.interrupt();
  }

  startDraining(): void {
    this.#parts.serving.state.draining = true;
    this.#parts.batches.stop();
  }

  close(): Promise<void> {
    return closeInOrder(this.#foundation, this.#parts);
  }
}
