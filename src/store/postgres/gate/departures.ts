import { pause } from '../../pause.ts';
import { json } from '../../row-columns.ts';
import type { Statement } from '../connection/postgres-connection.ts';
import type { Database, PostgresRow } from '../database.ts';
import { isRetried } from '../ledger/retried.ts';
import { formatCall, type GateCallText } from './format-call.ts';
import type { GateCallAnswer } from './gate-answer.ts';
import { GATE, type GateCalls, type GateCallsParts } from './gate-calls.ts';
import type { GateOp } from './gate-op.ts';
import { newLaneName } from './new-lane-name.ts';

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

/** A call of the gate on the connection of a settlement. */
export type Ride = {
  readonly departures: readonly Departure[];
  readonly node: string;
  readonly call: GateCallText;
  readonly statement: Statement;
  /** True once the outcome is known. */
  isOver: boolean;
};

type RideOutcome = PromiseSettledResult<PostgresRow[]>;

const RETRY_MS = 50;
const DEADLINE_MS = 3_000;
const NOT_COUNTED: GateCallAnswer = { era: true };

/**
 * Sends the ends of counts on the connection of their settlements, so that a request costs two round trips.
 * While the gate is busy, they leave with its next call instead. They have a numbered lane of their own,
 * since a settlement does not wait for the gate.
 */
export class Departures {
  readonly #parts: DeparturesParts;
  #lane = newLaneName();
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
    return { departures: present, node, call, statement: { text: GATE, values }, isOver: false };
  }

  /** Takes the outcome of a ride. A failed ride whose statement may have run is not over. */
  arrive(ride: Ride, outcome: RideOutcome): void {
    if (ride.isOver || (outcome.status === 'rejected' && isRetried(outcome.reason))) return;
    this.#deliver(ride, outcome.status === 'fulfilled' ? answerOf(outcome.value) : NOT_COUNTED);
    ride.isOver = true;
  }

  /**
   * Takes a ride whose settlement has ended.
   * A call with an unknown outcome is repeated until the outcome is known.
   */
  end(ride: Ride): void {
    if (ride.isOver) return;
    this.#lane = newLaneName();
    this.#number = 0;
    void this.#repeat(ride);
  }

  async #repeat(ride: Ride): Promise<void> {
    const { database, calls } = this.#parts;
    const { text, values } = ride.statement;
    while (!ride.isOver && !calls.isClosed) {
      const sent = database.first(text, values, { deadlineMs: DEADLINE_MS });
      const [outcome] = await Promise.allSettled([sent.then((row) => (row ? [row] : []))]);
      this.arrive(ride, outcome);
      if (!ride.isOver) await pause(RETRY_MS);
    }
    for (const { counted } of ride.departures) counted.resolve();
  }

  #deliver({ departures, node, call }: Ride, answer: GateCallAnswer): void {
    const { identity, decided, observed } = this.#parts;
    if ('a' in answer) {
      observed(call, answer);
      departures.forEach(({ op, counted }, index) => {
        decided(op, { verdict: answer.a[index]!, now: answer.now, node });
        counted.resolve();
      });
    } else if ('closed' in answer) {
      identity.closed(node);
      for (const { counted } of departures) counted.resolve();
    } else for (const departure of departures) this.#sendAlone(departure);
  }

  #sendAlone({ op, node, counted }: Departure): void {
    this.#parts.calls.send(op, node).then(
      () => counted.resolve(),
      // The operation stays in the queue until the store answers.
      () => counted.resolve(),
    );
  }
}

const answerOf = ([row]: readonly PostgresRow[]): GateCallAnswer => json<GateCallAnswer>(row, 'answer');
