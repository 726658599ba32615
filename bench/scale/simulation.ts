import { seededRandom } from '../../src/base/lib/testing/seeded-random.ts';
import { BUSIEST_ACCOUNT, DatabaseModel, type StatementKind } from './database-model.ts';
import { EventQueue } from './event-queue.ts';
import { GroupedCalls } from './grouped-calls.ts';
import type { SimulationOrder } from './simulation-order.ts';
import { buildReport, type SimulationOutcome, type SimulationReport, WARM_UP } from './simulation-report.ts';

/** Simulates admissions and settlements of many nodes on partitioned databases. */
export const simulate = (order: SimulationOrder): SimulationReport =>
  buildReport(order, new Simulation(order).run());

class Simulation {
  readonly #order: SimulationOrder;
  readonly #events = new EventQueue();
  readonly #random: () => number;
  readonly #databases: readonly DatabaseModel[];
  readonly #gates: readonly (readonly GroupedCalls[])[];
  readonly #settles: readonly (readonly GroupedCalls[])[];
  readonly #addedMs: number[] = [];
  #arrived = 0;
  #longestQueue = 0;

  constructor(order: SimulationOrder) {
    this.#order = order;
    this.#random = seededRandom(order.seed);
    this.#databases = Array.from(
      { length: order.databases },
      () => new DatabaseModel(this.#events, order.times, order.cores),
    );
    this.#gates = this.#callsOf('gate');
    this.#settles = this.#callsOf('settle');
  }

  run(): SimulationOutcome {
    this.#arrive();
    this.#events.runUntil(this.#order.forMs);
    return {
      databases: this.#databases.map(({ work }) => work),
      addedMs: this.#addedMs,
      arrived: this.#arrived,
      longestQueue: this.#longestQueue,
    };
  }

  /** Returns the calls of each node to each database. */
  #callsOf(kind: StatementKind): GroupedCalls[][] {
    const { nodes, roundTripMs } = this.#order;
    const events = this.#events;
    return Array.from({ length: nodes }, () =>
      this.#databases.map((database) => new GroupedCalls({ events, database, kind, roundTripMs })),
    );
  }

  /** Lets a request arrive, and the next one after a random time. */
  #arrive(): void {
    const { requestsPerSecond, forMs } = this.#order;
    this.#events.after(this.#exponential(1_000 / requestsPerSecond), () => this.#arrive());
    const isMeasured = this.#events.now > forMs * WARM_UP;
    if (isMeasured) this.#arrived += 1;
    const account = this.#pickAccount();
    const database = account % this.#databases.length;
    const node = pickNode(this.#order, this.#random(), database);
    this.#serve({ account, node, database, isMeasured });
    this.#longestQueue = Math.max(this.#longestQueue, this.#databases[database]!.waiting);
  }

  /** Admits a request, and settles it when the provider has answered. */
  #serve({ account, node, database, isMeasured }: Arrival): void {
    const events = this.#events;
    const arrivedAt = events.now;
    this.#gates[node]![database]!.call(account, () => {
      const admittedMs = events.now - arrivedAt;
      events.after(this.#exponential(this.#order.answerMs), () => {
        const answeredAt = events.now;
        this.#settles[node]![database]!.call(account, () => {
          if (isMeasured) this.#addedMs.push(admittedMs + events.now - answeredAt);
        });
      });
    });
  }

  #pickAccount(): number {
    const { hotShare, accounts } = this.#order;
    if (this.#random() < hotShare) return BUSIEST_ACCOUNT;
    return BUSIEST_ACCOUNT + 1 + Math.floor(this.#random() * (accounts - 1));
  }

  #exponential(mean: number): number {
    return -Math.log(1 - this.#random()) * mean;
  }
}

type Arrival = { account: number; node: number; database: number; isMeasured: boolean };

/** RoutedRequest accounts share the nodes of their database, which are every `databases`th one. */
function pickNode({ nodes, databases, isRouted }: SimulationOrder, chance: number, database: number): number {
  if (!isRouted || nodes < databases) return Math.floor(chance * nodes);
  const nodesOfDatabase = Math.floor((nodes - 1 - database) / databases) + 1;
  return database + databases * Math.floor(chance * nodesOfDatabase);
}
