import type { EdgeObserver } from '../../edge/http/edge.ts';
import type { Route } from '../../edge/http/route.ts';
import type { ResponsesSockets } from '../../inference/socket/responses-sockets.ts';
import { closesConnections } from '../../upstream/capacity/overload-level.ts';
import type { NodeDirectory } from '../../watch/nodes/node-record.ts';
import { writingNodes } from '../../watch/nodes/writing-nodes.ts';
import type { ConnectionMetrics } from '../../watch/observability/connection-metrics.ts';
import { acceptsKey } from './accepts-key.ts';
import { type ClosableParts, closeInOrder } from './close-in-order.ts';
import type { Foundation } from './create-foundation.ts';
import { firstStartOf } from './first-start-of.ts';
import { joinNodes } from './join-nodes.ts';
import { listenOptions } from './listen-options.ts';
import { documentedRoutes, type GatewayListener, openListeners } from './open-listeners.ts';
import { warmUp } from './warm-up.ts';

type ServerParts = ClosableParts & {
  routes: readonly Route[];
  sockets: ResponsesSockets;
  observer: EdgeObserver;
  connectionMetrics: ConnectionMetrics;
  nodes: NodeDirectory;
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
    const { serving, observer } = parts;
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
      observer,
      closesConnections: () => serving.state.draining || closesConnections(serving.overload.level),
      underWay: serving.underWay,
    };
  }

  readonly snapshot = () => this.#foundation.holder.current;

  readonly inFlight = (): number => this.#parts.serving.metrics.inFlight;

  readonly acceptsKey = (secret: string) =>
    acceptsKey(secret, { ...this.#foundation, store: this.#foundation.storage.store });

  /** Returns the routes that the API reference describes. */
  readonly documented = (): Route[] => documentedRoutes(this.#parts.routes, this.#foundation.clock);

  /** Joins the other nodes, and begins to count. */
  async join(): Promise<void> {
    const { serving, nodeWatch, nodes } = this.#parts;
    await serving.requests.content.refresh();
    await joinNodes(this.#foundation, serving);
    await serving.drains.apply();
    await serving.faults.begin({ isShared: this.#foundation.storage.nodes !== undefined });
    await serving.requests.beginCounting(() => writingNodes(nodes, this.#foundation.clock.now()));
    await nodeWatch.look();
    warmUp(this.#foundation);
  }

  /** Starts to listen, and starts the work in the background. */
  async listen(): Promise<GatewayListener> {
    const { serving, connectionMetrics, batches, background, recorded, billing, routes } = this.#parts;
    const { holder, ground } = this.#foundation;
    const listener = await openListeners({
      edge: this.#edge,
      routes,
      options: listenOptions(holder, connectionMetrics, ground.worker?.assignment),
      adminListen: holder.current.config.server.admin_listen,
      count: (exchange) => serving.windows.countNetwork(exchange),
    });
    serving.descriptorWatch.guard(listener);
    connectionMetrics.showConnections(listener.connections);
    serving.probes.follow(holder.current.providers);
    serving.providerAlerts.start();
    serving.localServers.lookFrom(listener.port);
    batches.start();
    background.start();
    recorded.start();
    billing.worker.start();
    billing.shortfalls.start();
    return listener;
  }

  /** Ends the requests under way with an error. */
  interrupt(): void {
    const { underWay, open } = this.#parts.serving;
    this.#parts.background.leave();
    underWay.stop();
    open.interrupt();
  }

  /** Reports that the server is not ready, and starts no more work in the background. */
  startDraining(): void {
    this.#parts.serving.state.draining = true;
    this.#parts.batches.stop();
    this.#parts.background.stop();
    this.#parts.sockets.drain();
    this.#parts.serving.events.close();
  }

  close(): Promise<void> {
    return closeInOrder(this.#foundation, this.#parts);
  }
}
