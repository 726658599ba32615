import { Refusal } from '../../base/errors/refusal.ts';
import { refusalOfError } from '../../base/errors/refusal-of-error.ts';
import type { JsonBody } from '../../base/json/json-body.ts';
import { listOf, parseObject } from '../../base/json/read-json.ts';
import { sliceJson } from '../../base/json/slice-json.ts';
import type { Clock } from '../../base/lib/clock.ts';
import { isObject } from '../../base/lib/is-object.ts';
import type { YieldQueue } from '../../base/lib/yield-queue.ts';
import { asWritten } from '../../edge/http/as-written.ts';
import type { BodyGate } from '../../edge/http/body-gate.ts';
import type { EdgeObserver } from '../../edge/http/edge.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { holdMemory, outOfMemory } from '../../edge/http/hold-memory.ts';
import { noteRefusal } from '../../edge/http/note-refusal.ts';
import { ReaderGone } from '../../edge/http/reader-gone.ts';
import type { Snapshot } from '../../settings/snapshot/snapshot.ts';
import type { Dialect } from '../../translation/contract/dialect.ts';
import { handleInference } from '../gateway/handle-inference.ts';
import type { Services } from '../request/services.ts';
import {
  type ContinuedRequest,
  continueRecent,
  ownInput,
  previousIdOf,
  withInputBefore,
} from './continued-request.ts';
import { RecentResponses } from './recent-responses.ts';
import type { SocketClient } from './socket-client.ts';
import type { SocketMemory } from './socket-memory.ts';
import { Steering } from './steering.ts';
import { turnExchange } from './turn-exchange.ts';
import type { ActiveTurn, TurnLanes } from './turn-lanes.ts';
import { TurnWriter } from './turn-writer.ts';
import { warmUp } from './warm-up.ts';

export type SocketTurnsParts = {
  services: Services;
  dialect: Dialect;
  clock: Clock;
  observer: EdgeObserver;
  snapshot: () => Snapshot;
  gate: BodyGate;
  yieldQueue: YieldQueue;
  /** Begins to copy a turn, where the operator keeps the content of the account. */
  capture(exchange: Exchange, body: JsonBody): void;
};

/** The WebSocket on which the turns run. */
type TurnsSocket = {
  exchange: Exchange;
  client: SocketClient;
  memory: Pick<SocketMemory, 'keep'>;
  /** Returns the lanes, which call `run()`. */
  lanes(): Pick<TurnLanes, 'turnOf' | 'addNext'>;
};

/** Runs the turns of one WebSocket like requests over HTTP, and remembers their responses. */
export class SocketTurns {
  readonly #parts: SocketTurnsParts;
  readonly #socket: TurnsSocket;
  /** The client's address, which the runtime forgets when the connection becomes a WebSocket. */
  readonly #address: string;
  readonly #recent: RecentResponses;
  readonly #steering: Steering;

  constructor(parts: SocketTurnsParts, socket: TurnsSocket) {
    this.#parts = parts;
    this.#socket = socket;
    this.#address = socket.exchange.peer();
    this.#recent = new RecentResponses(socket.memory);
    this.#steering = new Steering({
      memory: socket.memory,
      emit: (event, lane) => socket.client.emit(event, lane),
      turnOf: (id) => socket.lanes().turnOf(id),
      isRecent: (id) => this.#recent.get(id) !== undefined,
      steers: (model) => this.#steers(model),
    });
  }

  /** Takes a `response.steer` of the client. Returns a promise to wait for if the client is too slow. */
  steer(event: JsonBody): Promise<void> | undefined {
    return this.#steering.steer(event);
  }

  /** Runs a turn to its end. Never throws. */
  async run(turn: ActiveTurn): Promise<void> {
    const { snapshot, clock, observer } = this.#parts;
    const exchange = turnExchange({
      socket: this.#socket.exchange,
      address: this.#address,
      snapshot: snapshot(),
      now: clock.now(),
      signal: turn.controller.signal,
      observer,
    });
    const refusal = await this.#answer(turn, exchange).catch((error: unknown) => {
      if (error instanceof ReaderGone) return undefined;
      exchange.reportFailure(error);
      return refusalOfError(error);
    });
    if (refusal) {
      noteRefusal(exchange.notes, refusal);
      observer.answered(exchange, refusal.status);
      this.#socket.client.refuse(refusal, turn.request.lane);
    }
    exchange.booking?.free();
    exchange.capture?.end();
    observer.finished(exchange);
    if (refusal) this.#steering.failAll(turn);
  }

  async #answer(turn: ActiveTurn, exchange: Exchange): Promise<Refusal | undefined> {
    const { services, dialect, observer, capture, gate } = this.#parts;
    const full = await holdMemory(exchange, gate.budget, this.#lengthOf(turn));
    if (full) return full;
    const request = await this.#continuedRequest(turn);
    if (request instanceof Refusal) return request;
    if (!turn.request.generates) return this.#warm(turn, exchange, request);
    const { body, echo } = request;
    const turnDialect: Dialect = echo ? { ...dialect, read: withEcho(dialect, echo) } : dialect;
    const reply = await handleInference(exchange, turnDialect, {
      ...services,
      recorder: undefined,
      readBody: async (reader) => {
        capture(reader, body);
        return body;
      },
    });
    if (reply instanceof Refusal) return reply;
    this.#forgetSteered(turn);
    observer.answered(exchange, reply.status);
    const replyBody = exchange.capture ? exchange.capture.watch(reply.body) : reply.body;
    const writer = this.#writerOf(turn);
    await asWritten(replyBody)?.(writer);
    this.#closeTurn(turn, body, writer);
    return undefined;
  }

  /** Returns the length of the request of a turn, with everything that `#continuedRequest` adds. */
  #lengthOf({ request: { body } }: ActiveTurn): number {
    const previousId = previousIdOf(body);
    if (previousId === undefined) return body.text.length;
    const { input = '', output = '' } = this.#recent.get(previousId) ?? {};
    const pendingLength = this.#steering.pendingInput(previousId)?.length ?? 0;
    return body.text.length + input.length + output.length + pendingLength;
  }

  /** Returns the request of a turn with the response of this connection and the steered input before it. */
  async #continuedRequest({ request }: ActiveTurn): Promise<ContinuedRequest | Refusal> {
    const { yieldQueue } = this.#parts;
    const previousId = previousIdOf(request.body);
    if (previousId === undefined) return { body: request.body, echo: undefined };
    const pendingInput = this.#steering.pendingInput(previousId);
    const steeredBody = pendingInput
      ? await withInputBefore(request.body, pendingInput, yieldQueue)
      : request.body;
    if (steeredBody instanceof Refusal) return steeredBody;
    const recent = this.#recent.get(previousId);
    if (!recent) return { body: steeredBody, echo: undefined };
    const body = await continueRecent(steeredBody, recent, yieldQueue);
    return body instanceof Refusal ? body : { body, echo: { previous_response_id: recent.id } };
  }

  /** Forgets the steered input that a turn has taken. A refused turn can be sent again. */
  #forgetSteered({ request }: ActiveTurn): void {
    const previousId = previousIdOf(request.body);
    if (previousId !== undefined) this.#steering.forget(previousId);
  }

  #writerOf(turn: ActiveTurn): TurnWriter {
    const { client } = this.#socket;
    return new TurnWriter({
      lane: turn.request.lane,
      isOpen: () => client.isOpen,
      send: (text) => {
        turn.id ??= responseIdIn(text);
        return client.send(text);
      },
    });
  }

  async #warm(turn: ActiveTurn, exchange: Exchange, request: ContinuedRequest): Promise<Refusal | undefined> {
    const made = await warmUp(this.#parts, exchange, request);
    if (made instanceof Refusal) return made;
    const { id, model, events } = made;
    const isKept = this.#remember(request.body, { id, model, output: '[]' });
    if (!isKept) return outOfMemory();
    this.#parts.observer.answered(exchange, 200);
    turn.id = id;
    this.#forgetSteered(turn);
    for (const event of events) this.#socket.client.emit(event, turn.request.lane);
    return undefined;
  }

  /** Keeps what only the connection knows of a response, and continues it with the input that was steered. */
  #closeTurn(turn: ActiveTurn, body: JsonBody, { log }: TurnWriter) {
    const { envelope, status } = log;
    const isDone = status === 'completed' || status === 'incomplete';
    if (!envelope || !isDone) return this.#steering.failAll(turn);
    const response = parseObject(envelope);
    const id = String(response.id);
    if (response.store === false) {
      const output = sliceJson(envelope, ['output']) ?? '[]';
      this.#remember(body, { id, model: String(body.value.model), output });
    }
    if (turn.steers.length === 0) return;
    const successor = this.#steering.successor(turn, id, listOf(response.output));
    if (successor) this.#socket.lanes().addNext(successor);
  }

  /** Remembers a response, so that the next turn can continue it. Returns false without memory for it. */
  #remember(body: JsonBody, response: { id: string; model: string; output: string }): boolean {
    return this.#recent.add({ ...response, previousId: previousIdOf(body), input: ownInput(body) });
  }

  /** Only models of this protocol's own wire are steered, as their vendor does it. */
  #steers(model: string): boolean {
    const found = this.#parts.snapshot().catalog.lookUp(model, 'chat');
    return found?.entry.targets.some(({ wires }) => wires.includes('openai-responses')) === true;
  }
}

/** Returns the dialect's reader with members that the answer repeats. */
const withEcho =
  (dialect: Dialect, echo: Record<string, unknown>): Dialect['read'] =>
  (body) => {
    const request = dialect.read(body);
    return request instanceof Refusal ? request : { ...request, echo: { ...request.echo, ...echo } };
  };

/** Returns the id of the response in an event. */
function responseIdIn(event: string): string | undefined {
  const { response } = parseObject(event);
  return isObject(response) ? String(response.id) : undefined;
}
