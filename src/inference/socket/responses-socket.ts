import { errorEnvelope } from '../../base/errors/envelope.ts';
import { Refusal } from '../../base/errors/refusal.ts';
import { refusalOfError } from '../../base/errors/refusal-of-error.ts';
import type { JsonBody } from '../../base/json/json-body.ts';
import { parseBodyAtOnce } from '../../base/json/parse-body.ts';
import { listOf, parseObject } from '../../base/json/read-json.ts';
import { sliceJson } from '../../base/json/slice-json.ts';
import type { Clock } from '../../base/lib/clock.ts';
import { MEGABYTE, msOf } from '../../base/lib/units.ts';
import type { BodyGate } from '../../edge/http/body-gate.ts';
import type { EdgeObserver } from '../../edge/http/edge.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { holdMemory } from '../../edge/http/hold-memory.ts';
import { noteRefusal } from '../../edge/http/note-refusal.ts';
import type { SocketConnection, SocketHandler } from '../../edge/http/socket.ts';
import { asWritten, ReaderGone } from '../../edge/http/stream-body.ts';
import { stopping } from '../../edge/http/under-way.ts';
import type { Snapshot } from '../../settings/snapshot/snapshot.ts';
import type { Dialect } from '../../translation/contract/dialect.ts';
import { handleInference } from '../gateway/gateway.ts';
import type { Services } from '../request/services.ts';
import { RecentResponses } from './recent-responses.ts';
import { Steering } from './steering.ts';
import { turnExchange } from './turn-exchange.ts';
import { type ActiveTurn, TurnLanes } from './turn-lanes.ts';
import {
  continued,
  idIn,
  ownInput,
  previousOf,
  readTurn,
  typeOf,
  withEcho,
  withInputBefore,
} from './turn-request.ts';
import { named, TurnWriter } from './turn-writer.ts';
import { type WarmUp, warmUp } from './warm-up.ts';

export type ResponsesSocketParts = {
  services: Services;
  dialect: Dialect;
  clock: Clock;
  observer: EdgeObserver;
  snapshot: () => Snapshot;
  gate: BodyGate;
  /** Begins to copy a turn, where the operator keeps the content of the account. */
  capture(exchange: Exchange, body: JsonBody): void;
  closed(socket: ResponsesSocket): void;
};

const GOING_AWAY = 1001;
const TOO_BIG = 1009;
const RESTARTING = 1012;

/** One WebSocket of a client, on which turns run like requests over HTTP. */
export class ResponsesSocket implements SocketHandler {
  readonly #exchange: Exchange;
  /** The client's address, which the runtime forgets when the connection becomes a WebSocket. */
  readonly #address: string;
  readonly #parts: ResponsesSocketParts;
  readonly #lanes: TurnLanes;
  readonly #steering: Steering;
  readonly #recent = new RecentResponses();
  #connection: SocketConnection | undefined;
  #isOpen = false;
  #goodbye: (() => void) | undefined;
  #idle: Timer | undefined;
  #life: Timer | undefined;

  constructor(exchange: Exchange, parts: ResponsesSocketParts) {
    this.#exchange = exchange;
    this.#address = exchange.peer();
    this.#parts = parts;
    this.#lanes = new TurnLanes({ run: (turn) => this.#run(turn), onEmptied: () => this.#turnsEnded() });
    this.#steering = new Steering({
      emit: (event, lane) => this.#emit(event, lane),
      turnOf: (id) => this.#lanes.turnOf(id),
      isRecent: (id) => this.#recent.get(id) !== undefined,
      steers: (model) => this.#steers(model),
    });
  }

  opened(connection: SocketConnection): void {
    this.#connection = connection;
    this.#isOpen = true;
    const { socket_s } = this.#limits;
    this.#life = setTimeout(() => this.#leave(() => this.#expire()), msOf(socket_s));
    this.#life.unref();
    this.#rest();
  }

  message(message: string | Uint8Array) {
    if (!this.#isOpen) return;
    const limit = this.#limits.socket_message_mb * MEGABYTE;
    if (message.length > limit || Buffer.byteLength(message) > limit) {
      this.#refuse(
        new Refusal('body_too_large', {
          message: `A message has at most ${this.#limits.socket_message_mb} MB.`,
        }),
        undefined,
      );
      this.#connection!.close(TOO_BIG, 'message too big');
      return;
    }
    const event = typeof message === 'string' ? parseBodyAtOnce(message) : new Refusal('invalid_json');
    if (event instanceof Refusal) return this.#refuse(event, undefined);
    const type = typeOf(event.value);
    if (type === 'response.create') this.#create(event);
    else if (type === 'response.steer') this.#steering.steer(event);
    else
      this.#refuse(
        new Refusal('invalid_request', {
          param: 'type',
          message: "type must be 'response.create' or 'response.steer'",
        }),
        undefined,
      );
  }

  closed(): void {
    this.#isOpen = false;
    clearTimeout(this.#idle);
    clearTimeout(this.#life);
    this.#lanes.abort();
    this.#parts.closed(this);
  }

  /** Has the client connect again, once the turns that run have ended. */
  drain(): void {
    this.#leave(() => {
      this.#refuse(stopping(), undefined);
      this.#connection!.close(RESTARTING, 'the server is shutting down');
    });
  }

  get #limits() {
    return this.#parts.snapshot().config.limits;
  }

  #leave(goodbye: () => void): void {
    this.#goodbye ??= goodbye;
    if (this.#isOpen && this.#lanes.running === 0) this.#goodbye();
  }

  #expire(): void {
    const message = 'The WebSocket has reached its time limit. Open a new one to continue.';
    const error = {
      type: 'invalid_request_error',
      code: 'websocket_connection_limit_reached',
      message,
      param: null,
    };
    this.#emit({ type: 'error', status: 400, error }, undefined);
    this.#connection!.close(GOING_AWAY, 'time limit');
  }

  /** Closes the connection if no turn begins in time. */
  #rest(): void {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => {
      if (this.#isOpen) this.#connection!.close(GOING_AWAY, 'idle');
    }, msOf(this.#limits.socket_idle_s));
    this.#idle.unref();
  }

  #emit(event: object, lane: string | undefined): void {
    if (this.#isOpen) void this.#connection!.send(named(JSON.stringify(event), lane));
  }

  #refuse(refusal: Refusal, lane: string | undefined): void {
    this.#emit({ type: 'error', status: refusal.status, ...errorEnvelope('openai', refusal) }, lane);
  }

  #create(event: JsonBody) {
    const request = readTurn(event);
    if (request instanceof Refusal) return this.#refuse(request, undefined);
    if (this.#goodbye) return this.#refuse(stopping(), request.lane);
    const isAdded = this.#lanes.add(request, { maxTurns: this.#limits.socket_turns });
    if (!isAdded) this.#refuse(new Refusal('concurrency_limit_exceeded'), request.lane);
  }

  /** A lane has no further turn. */
  #turnsEnded(): void {
    if (this.#goodbye) this.#leave(this.#goodbye);
    else if (this.#lanes.running === 0) this.#rest();
  }

  async #run(turn: ActiveTurn): Promise<void> {
    clearTimeout(this.#idle);
    const { snapshot, clock, observer } = this.#parts;
    const { lane } = turn.request;
    const exchange = turnExchange({
      socket: this.#exchange,
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
      this.#refuse(refusal, lane);
    }
    exchange.booking?.free();
    exchange.capture?.end();
    observer.finished(exchange);
    if (refusal) this.#steering.failAll(turn);
  }

  async #answer(turn: ActiveTurn, exchange: Exchange): Promise<Refusal | undefined> {
    const { services, dialect, observer, capture, gate } = this.#parts;
    const { generates, lane } = turn.request;
    const previous = previousOf(turn.request.body);
    const waiting = previous === undefined ? undefined : this.#steering.pendingInput(previous);
    const whole = waiting ? withInputBefore(turn.request.body, waiting) : turn.request.body;
    if (whole instanceof Refusal) return whole;
    if (previous !== undefined) this.#steering.forget(previous);
    const recent = previous === undefined ? undefined : this.#recent.get(previous);
    const body = recent ? continued(whole, recent) : whole;
    if (body instanceof Refusal) return body;
    const echo = recent && { previous_response_id: recent.id };
    if (!generates) return this.#warm(turn, exchange, { body, echo });
    const asked: Dialect = echo ? { ...dialect, read: withEcho(dialect, echo) } : dialect;
    const reply = await handleInference(exchange, asked, {
      ...services,
      recorded: undefined,
      readBody: async (of) => {
        const full = await holdMemory(of, gate, body.text.length);
        if (!full) capture(of, body);
        return full ?? body;
      },
    });
    if (reply instanceof Refusal) return reply;
    observer.answered(exchange, reply.status);
    const shown = exchange.capture ? exchange.capture.watch(reply.body) : reply.body;
    const writer = new TurnWriter({
      lane,
      isOpen: () => this.#isOpen,
      send: (text) => {
        const id = turn.id ?? idIn(text);
        if (id !== undefined) turn.id = id;
        return this.#connection!.send(text);
      },
    });
    await asWritten(shown)?.(writer);
    this.#closeTurn(turn, body, writer);
    return undefined;
  }

  async #warm(turn: ActiveTurn, exchange: Exchange, asked: WarmUp): Promise<Refusal | undefined> {
    const made = await warmUp(this.#parts, exchange, asked);
    if (made instanceof Refusal) return made;
    turn.id = made.id;
    for (const event of made.events) this.#emit(event, turn.request.lane);
    const { id, model } = made;
    this.#recent.add({
      id,
      model,
      previousId: previousOf(asked.body),
      input: ownInput(asked.body),
      output: '[]',
    });
    return undefined;
  }

  /** Keeps what only the connection knows of a response, and continues it with the input that was steered. */
  #closeTurn(turn: ActiveTurn, body: JsonBody, { log }: TurnWriter) {
    const { envelope, status } = log;
    const isDone = status === 'completed' || status === 'incomplete';
    if (!envelope || !isDone) return this.#steering.failAll(turn);
    const response = parseObject(envelope);
    const id = String(response.id);
    if (response.store === false)
      this.#recent.add({
        id,
        model: String(body.value.model),
        previousId: previousOf(body),
        input: ownInput(body),
        output: sliceJson(envelope, ['output']) ?? '[]',
      });
    if (turn.steers.length === 0) return;
    const successor = this.#steering.successor(turn, id, listOf(response.output));
    if (successor) this.#lanes.addNext(successor);
  }

  /** Only models of this protocol's own wire are steered, as their vendor does it. */
  #steers(model: string): boolean {
    const found = this.#parts.snapshot().catalog.lookUp(model, 'chat');
    return found?.entry.targets.some(({ wires }) => wires.includes('openai-responses')) === true;
  }
}
