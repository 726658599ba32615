import { SingleFlight } from '../../base/lib/single-flight.ts';
import type { Metric } from '../observability/metric.ts';
import { nodeMetrics } from './node-metrics.ts';
import type { NodeDirectory, NodeRecord } from './node-record.ts';

/** Reports a change of the nodes. */
type Report = (level: 'info' | 'warn', event: string, fields: Record<string, unknown>) => void;

/** A change shows within this time. Scrapes must not keep the database busy. */
const EVERY_MS = 5_000;

/** Looks at the nodes now and then, for the metrics and for one line of the log for each change. */
export class NodeWatch {
  readonly metrics: readonly Metric[];
  readonly #directory: NodeDirectory;
  readonly #report: Report;
  readonly #timer: Timer;
  #nodes: readonly NodeRecord[] | undefined;
  readonly #looking = new SingleFlight();

  constructor(directory: NodeDirectory, report: Report) {
    this.#directory = directory;
    this.#report = report;
    this.metrics = nodeMetrics(() => ({ nodes: this.#nodes ?? [], configHash: directory.configHash() }));
    this.#timer = setInterval(() => void this.look(), EVERY_MS);
    this.#timer.unref();
  }

  /** Calls during a look wait for that one. The latest list stays while the store does not answer. */
  look(): Promise<void> {
    return this.#looking.run(() => this.#look());
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#looking.ended();
  }

  async #look(): Promise<void> {
    try {
      const nodes = await this.#directory.list();
      const openNodes = nodes.filter(({ closedAt }) => closedAt === null);
      this.#reportChanges(this.#nodes ?? openNodes, openNodes);
      this.#nodes = openNodes;
    } catch {
      // The health of the store is reported elsewhere.
    }
  }

  #reportChanges(before: readonly NodeRecord[], now: readonly NodeRecord[]): void {
    const earlierNodes = new Map(before.map((node) => [node.id, node]));
    const configHash = this.#directory.configHash();
    for (const node of now) {
      const earlier = earlierNodes.get(node.id);
      earlierNodes.delete(node.id);
      if (!earlier) this.#report('info', 'node-joined', factsOf(node));
      if (earlier?.configHash === node.configHash || node.configHash === configHash) continue;
      this.#report('warn', 'node-configuration-differs', factsOf(node));
    }
    for (const node of earlierNodes.values()) this.#report('info', 'node-left', factsOf(node));
  }
}

const factsOf = ({ id, host, worker, version, configHash }: NodeRecord): Record<string, unknown> => ({
  node: id,
  host,
  version,
  config_hash: configHash,
  ...(worker !== null && { worker }),
});
