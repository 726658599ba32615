import { json } from '../../row-columns.ts';
import type { Statement } from '../connection/postgres-connection.ts';
import type { Database, PostgresRow } from '../database.ts';
import { isRetried } from '../ledger/retried.ts';
import { GATE, type GateCalls, type GateCallsParts, type GateReport } from './gate-calls.ts';
import { formatCall, type GateCallText, type GateOp } from './gate-op.ts';

/** The end of a request's count, which can travel with the settlement of the request. */
export type Departure = {
  op: GateOp;
  /** The node that took what the operation gives back. */
  node: string;
  /** Resolves when the operation is counted, or when the store is away. */
  counted: PromiseWithResolvers<void>;
};

export type DeparturesParts = Pick<GateCallsParts, 'identity' | 'decided' | 'observed'> & {
  database: Pick<Database, 'first'>;
  calls: Pick<GateCalls, 'send' | 'isWorking' | 'isClosed' | 'era'>;
};

type Outcome = PromiseSettledResult<PostgresRow[]>;

const RETRY_MS = 50;
const DEADLINE_MS = 3_000;

/**
 * Sends the ends of counts on the connection of their settlements, so that a request costs two round trips.
 * While the gate is busy, they leave with its next call instead. They have a numbered lane of their own,
 * since a settlement does not wait for the gate.
 */
export class Departures {
  readonly #parts: DeparturesParts;
  #lane = newLane();
  #number = 0;

  constructor(parts: DeparturesParts) {
    this.#parts = parts;
  }

  /** Returns the call that is to travel with a settlement. Returns undefined if there is none. */
  board(departures: readonly Departure[]): Ride | undefined {
    if (departures.length === 0) return undefined;
    const { calls, identity } = this.#parts;
    if (calls.isWorking) {
      for (const departure of departures) this.#sendAlone(departure);
      return undefined;
    }
    const node = identity.id();
    // A closed node has returned everything.
    for (const departure of departures) if (departure.node !== node) departure.counted.resolve();
    const present = departures.filter((departure) => departure.node === node);
    if (present.length === 0) return undefined;
    const call = formatCall(present.map(({ op }) => op));
    const values = [node, calls.era, this.#lane, ++this.#number, call.text];
    return new Ride({ departures: present, node, call, statement: { text: GATE, values } }, (ride, outcome) =>
      this.#take(ride, outcome),
    );
  }

  /**
   * Takes a ride whose settlement has ended.
   * A call with an unknown outcome is repeated until the outcome is known.
   */
  end(ride: Ride): void {
    if (ride.isOver) return;
    this.#lane = newLane();
    this.#number = 0;
    void this.#repeat(ride);
  }

  async #repeat(ride: Ride): Promise<void> {
    const { database, calls } = this.#parts;
    const { text, values } = ride.statement;
    while (!ride.isOver && !calls.isClosed) {
      const sent = database.first(text, values, { deadlineMs: DEADLINE_MS });
      const [outcome] = await Promise.allSettled([sent.then((row) => (row ? [row] : []))]);
      ride.take(outcome);
      if (!ride.isOver) await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
    for (const { counted } of ride.departures) counted.resolve();
  }

  /** Returns true if the outcome is known. */
  #take({ departures, node, call }: Ride, outcome: Outcome): boolean {
    const { identity, decided, observed } = this.#parts;
    if (outcome.status === 'rejected' && isRetried(outcome.reason)) return false;
    const report = outcome.status === 'fulfilled' ? reportOf(outcome.value) : NOT_COUNTED;
    if ('a' in report) {
      observed(call, report);
      departures.forEach(({ op, counted }, index) => {
        decided(op, { verdict: report.a[index]!, now: report.now, node });
        counted.resolve();
      });
    } else if ('closed' in report) {
      identity.closed(node);
      for (const { counted } of departures) counted.resolve();
    } else for (const departure of departures) this.#sendAlone(departure);
    return true;
  }

  #sendAlone({ op, node, counted }: Departure): void {
    this.#parts.calls.send(op, node).then(
      () => counted.resolve(),
      // The operation stays in the queue until the store answers.
      () => counted.resolve(),
    );
  }
}

type RideParts = {
  departures: readonly Departure[];
  node: string;
  call: GateCallText;
  statement: Statement;
};

/** A call of the gate on the connection of a settlement. */
export class Ride {
  readonly departures: readonly Departure[];
  readonly node: string;
  readonly call: GateCallText;
  readonly statement: Statement;
  readonly #take: (ride: Ride, outcome: Outcome) => boolean;
  /** The outcome is known. */
  isOver = false;

  constructor(
    { departures, node, call, statement }: RideParts,
    take: (ride: Ride, outcome: Outcome) => boolean,
  ) {
    this.departures = departures;
    this.node = node;
    this.call = call;
    this.statement = statement;
    this.#take = take;
  }

  take(outcome: Outcome): void {
    if (!this.isOver) this.isOver = this.#take(this, outcome);
  }
}

type Report = GateReport | { closed: true } | { era: true };
const NOT_COUNTED: Report = { era: true };

const reportOf = ([row]: readonly PostgresRow[]): Report => json(row, 'answer');

const newLane = (): string => crypto.randomUUID();
