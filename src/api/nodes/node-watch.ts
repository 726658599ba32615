import type { Metric } from '../observability/metrics.ts';
import { nodeMetrics } from './node-metrics.ts';
import type { NodeDirectory, NodeRecord } from './node-record.ts';

const LOOK_EVERY_MS = 5_000;

export type NodeWatchParts = {
  nodes: NodeDirectory;
  /** Called once when nodes with another configuration appear, and once when there are none left. */
  drifted(nodes: readonly NodeRecord[]): void;
};

/** Looks at the nodes every few seconds, for the metrics and for one log line when their configurations begin or cease to differ. */
export class NodeWatch {
  readonly #parts: NodeWatchParts;
  readonly #timer: Timer;
  readonly metrics: readonly Metric[];
  #latest: readonly NodeRecord[] = [];
  #different = '';

  constructor(parts: NodeWatchParts) {
    this.#parts = parts;
    this.metrics = nodeMetrics(() => ({ nodes: this.#latest, configHash: parts.nodes.configHash() }));
    this.#timer = setInterval(() => void this.look(), LOOK_EVERY_MS);
    this.#timer.unref();
  }

  /** A look that fails leaves the latest one in place. */
  async look(): Promise<void> {
    const { nodes, drifted } = this.#parts;
    const found = await nodes.list().catch(() => undefined);
    if (!found) return;
    this.#latest = found;
    const own = nodes.configHash();
    const others = found.filter(({ closedAt, configHash }) => closedAt === null && configHash !== own);
    const different = others.map(({ id, configHash }) => `${id} ${configHash}`).join();
    if (different === this.#different) return;
    this.#different = different;
    drifted(others);
  }

  close(): void {
    clearInterval(this.#timer);
  }
}
