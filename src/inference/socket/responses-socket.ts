import { errorEnvelope } from '../../base/errors/envelope.ts';
import { Refusal } from '../../base/errors/refusal.ts';
import { refusalOfError } from '../../base/errors/refusal-of-error.ts';
import { type JsonBody, parseBodyAtOnce } from '../../base/json/json-body.ts';
import { listOf, objectOf, parseObject } from '../../base/json/read-json.ts';
import { sliceJson } from '../../base/json/slice-json.ts';
import type { Clock } from '../../base/lib/clock.ts';
import { newId } from '../../base/lib/ids.ts';
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
import { type SteerProblem, steerFailure, steerInput } from './steer-events.ts';
import { turnExchange } from './turn-exchange.ts';
import {
  continued,
  idIn,
  ownInput,
  previousOf,
  readTurn,
  successorOf,
  type TurnRequest,
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

type Steer = { id: string; input: unknown };
/** A turn that runs. `steers` waits for its end. */
type ActiveTurn = { request: TurnRequest; id?: string; steers: Steer[]; controller: AbortController };
type Lane = { queue: TurnRequest[]; active: ActiveTurn | undefined };

const MAX_WAITING = 16;
const MAX_STEERS = 16;
const GOING_AWAY = 1001;
const TOO_BIG = 1009;
const RESTARTING = 1012;

/** One WebSocket of a client, on which turns run like requests over HTTP. */
export class ResponsesSocket implements SocketHandler {
  readonly #exchange: Exchange;
  /** The client's address, which the runtime forgets when the connection becomes a WebSocket. */
  readonly #address: string;
  readonly #parts: ResponsesSocketParts;
  readonly #lanes = new Map<string | undefined, Lane>();
  readonly #recent = new RecentResponses();
  /** Input that waits for the results of a response's calls, by the response. */
  readonly #pending = new Map<string, Steer[]>();
  #connection: SocketConnection | undefined;
  #isOpen = false;
  #goodbye: (() => void) | undefined;
  #idle: Timer | undefined;
  #life: Timer | undefined;
  #sequence = 0;

  constructor(exchange: Exchange, parts: ResponsesSocketParts) {
    this.#exchange = exchange;
    this.#address = exchange.peer();
    this.#parts = parts;
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
    else if (type === 'response.steer') this.#steer(event);
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
    for (const { active } of this.#lanes.values()) active?.controller.abort();
    this.#lanes.clear();
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

  get #running(): number {
    return [...this.#lanes.values()].filter(({ active }) => active).length;
  }

  #leave(goodbye: () => void): void {
    this.#goodbye ??= goodbye;
    if (this.#isOpen && this.#running === 0) this.#goodbye();
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
    const lane = this.#lanes.get(request.lane) ?? { queue: [], active: undefined };
    const isFull = lane.active
      ? lane.queue.length >= MAX_WAITING
      : this.#running >= this.#limits.socket_turns;
    if (isFull) return this.#refuse(new Refusal('concurrency_limit_exceeded'), request.lane);
    this.#lanes.set(request.lane, lane);
    lane.queue.push(request);
    if (!lane.active) this.#next(request.lane);
  }

  #next(name: string | undefined): void {
    const lane = this.#lanes.get(name);
    const request = lane?.queue.shift();
    if (!lane || !request) {
      this.#lanes.delete(name);
      if (this.#goodbye) this.#leave(this.#goodbye);
      else if (this.#running === 0) this.#rest();
      return;
    }
    clearTimeout(this.#idle);
    const active: ActiveTurn = { request, steers: [], controller: new AbortController() };
    lane.active = active;
    void this.#run(active).finally(() => {
      lane.active = undefined;
      this.#next(name);
    });
  }

  async #run(turn: ActiveTurn): Promise<void> {
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
      exchange.failed(error);
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
    if (refusal) this.#failSteers(turn);
  }

  async #answer(turn: ActiveTurn, exchange: Exchange): Promise<Refusal | undefined> {
    const { services, dialect, observer, capture, gate } = this.#parts;
    const { generates, lane } = turn.request;
    const previous = previousOf(turn.request.body);
    const waiting = previous === undefined ? undefined : this.#pending.get(previous);
    const whole = waiting ? withInputBefore(turn.request.body, listText(waiting)) : turn.request.body;
    if (whole instanceof Refusal) return whole;
    if (previous !== undefined) this.#pending.delete(previous);
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
    if (!envelope || !isDone) return this.#failSteers(turn);
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
    if (turn.steers.length > 0) this.#continueSteered(turn, id, listOf(response.output));
  }

  #continueSteered(turn: ActiveTurn, id: string, output: readonly unknown[]) {
    const { lane } = turn.request;
    const calls = output
      .map(objectOf)
      .filter(({ type }) => type === 'function_call' || type === 'custom_tool_call');
    if (calls.length > 0) {
      this.#pending.set(id, turn.steers);
      const required = calls.map(({ type, call_id }) => ({ type: `${String(type)}_output`, call_id }));
      for (const { id: steer } of turn.steers)
        this.#emit(
          {
            type: 'response.steer.pending',
            sequence_number: this.#sequence++,
            reason: 'waiting_for_required_input',
            required_input: required,
            steer: { id: steer, previous_response_id: id },
          },
          lane,
        );
      return;
    }
    const body = successorOf(turn.request.body, { id, input: listText(turn.steers) });
    if (body instanceof Refusal) return this.#failSteers(turn);
    this.#lanes.get(lane)?.queue.unshift({ lane, generates: true, body });
  }

  #failSteers({ request, steers, id = '' }: ActiveTurn): void {
    for (const steer of steers)
      this.#emit(
        steerFailure('successor_creation_failed', {
          number: this.#sequence++,
          steer: { ...steer, previous_response_id: id },
        }),
        request.lane,
      );
  }

  #steer(event: JsonBody) {
    const { input, previous_response_id } = event.value;
    const id = typeof previous_response_id === 'string' ? previous_response_id : '';
    const lanes = [...this.#lanes.entries()];
    const [lane, found] = lanes.find(([, { active }]) => active?.id === id) ?? [];
    const turn = found?.active;
    const problem = this.#whyNotSteered(turn, id, input);
    if (problem || !turn) {
      const steer = { input, previous_response_id: id };
      return this.#emit(
        steerFailure(problem ?? 'response_not_found', { number: this.#sequence++, steer }),
        lane,
      );
    }
    const steer = { id: newId('steer_'), input };
    turn.steers.push(steer);
    this.#emit(
      {
        type: 'response.steer.accepted',
        sequence_number: this.#sequence++,
        steer: { id: steer.id, previous_response_id: id },
      },
      lane,
    );
  }

  #whyNotSteered(turn: ActiveTurn | undefined, id: string, input: unknown): SteerProblem | undefined {
    if (steerInput(input) === undefined) return 'invalid_input';
    if (!turn) return this.#recent.get(id) ? 'response_already_completed' : 'response_not_found';
    const { value } = turn.request.body;
    if (value.conversation != null || value.context_management != null || !this.#steers(String(value.model)))
      return 'steering_not_supported';
    return turn.steers.length >= MAX_STEERS ? 'too_many_pending_steers' : undefined;
  }

  /** Only models of this protocol's own wire are steered, as their vendor does it. */
  #steers(model: string): boolean {
    const found = this.#parts.snapshot().catalog.lookUp(model, 'chat');
    return found?.entry.targets.some(({ wires }) => wires.includes('openai-responses')) === true;
  }
}

const listText = (steers: readonly Steer[]): string =>
  JSON.stringify(steers.flatMap(({ input }) => steerInput(input) ?? []));
