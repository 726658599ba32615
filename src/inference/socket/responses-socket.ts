import { Refusal } from '../../base/errors/refusal.ts';
import type { JsonBody } from '../../base/json/json-body.ts';
import { andThen, type MaybeLater } from '../../base/lib/maybe-later.ts';
import { MEGABYTE, msOf } from '../../base/lib/units.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { SocketConnection, SocketHandler } from '../../edge/http/socket-handler.ts';
import { stopping } from '../../edge/http/under-way.ts';
import { MessageIntake } from './message-intake.ts';
import { SocketClient } from './socket-client.ts';
import type { SocketMemories, SocketMemory } from './socket-memory.ts';
import { SocketTurns, type SocketTurnsParts } from './socket-turns.ts';
import { type ActiveTurn, TurnLanes } from './turn-lanes.ts';
import { readTurn, type TurnRequest } from './turn-request.ts';

export type ResponsesSocketParts = SocketTurnsParts & {
  memories: SocketMemories;
  closed(socket: ResponsesSocket): void;
};

const GOING_AWAY = 1001;
const POLICY = 1008;
const TOO_BIG = 1009;
const RESTARTING = 1012;

/** One WebSocket of a client. It reads messages, and closes when it is idle, too old or drained. */
export class ResponsesSocket implements SocketHandler {
  readonly #parts: ResponsesSocketParts;
  readonly #client = new SocketClient();
  readonly #memory: SocketMemory;
  readonly #intake: MessageIntake;
  readonly #lanes: TurnLanes;
  readonly #turns: SocketTurns;
  /** Closes the connection once no turn runs. While it is set, no turn begins. */
  #goodbye: (() => void) | undefined;
  #isExpired = false;
  #idle: Timer | undefined;
  #life: Timer | undefined;

  constructor(exchange: Exchange, parts: ResponsesSocketParts) {
    this.#parts = parts;
    this.#memory = parts.memories.open(exchange.accountId);
    this.#lanes = new TurnLanes({
      run: (turn) => this.#run(turn),
      onEmptied: () => this.#turnsEnded(),
      memory: this.#memory,
    });
    this.#turns = new SocketTurns(parts, {
      exchange,
      client: this.#client,
      memory: this.#memory,
      lanes: () => this.#lanes,
    });
    this.#intake = new MessageIntake({
      yieldQueue: parts.yieldQueue,
      openMemory: () => parts.gate.budget.open(exchange.accountId),
      keepWaiting: (characters) => this.#memory.keep('unread', characters),
      take: (event) => this.#take(event),
      refuse: (refusal) => this.#client.refuse(refusal),
      abandon: () => this.#client.close(POLICY, 'answers are not read'),
    });
  }

  get isIdle(): boolean {
    return this.#lanes.running === 0;
  }

  opened(connection: SocketConnection): void {
    this.#client.opened(connection);
    this.#life = setTimeout(() => this.#expire(), msOf(this.#limits.socket_s));
    this.#life.unref();
    if (this.#goodbye) this.#goodbye();
    else this.#awaitTurn();
  }

  message(message: string | Uint8Array) {
    if (!this.#client.isOpen) return;
    this.#memory.keepArrived(0);
    const limit = this.#limits.socket_message_mb * MEGABYTE;
    if (message.length > limit || Buffer.byteLength(message) > limit) return this.#refuseSize();
    if (typeof message === 'string') this.#intake.add(message);
    else this.#client.refuse(new Refusal('invalid_json'));
  }

  bookArrived(bytes: number): boolean {
    return this.#memory.keepArrived(bytes);
  }

  closed(): void {
    this.#client.closed();
    this.#intake.close();
    this.#memory.free();
    clearTimeout(this.#idle);
    clearTimeout(this.#life);
    this.#lanes.abort();
    this.#parts.closed(this);
  }

  /** Has the client connect again, once the turns that run have ended. */
  drain(): void {
    this.#leave(() => {
      this.#client.refuse(stopping());
      this.#client.close(RESTARTING, 'the server is shutting down');
    });
  }

  get #limits() {
    return this.#parts.snapshot().config.limits;
  }

  #take(event: JsonBody): MaybeLater<void> {
    if (!this.#client.isOpen) return;
    const { type } = event.value;
    if (type === 'response.create')
      return andThen(readTurn(event, this.#parts.yieldQueue), (request) => this.#create(request));
    if (type === 'response.steer') return this.#turns.steer(event);
    return this.#client.refuse(unknownType());
  }

  #create(request: TurnRequest | Refusal) {
    if (!this.#client.isOpen) return;
    if (request instanceof Refusal) return this.#client.refuse(request);
    if (this.#goodbye) return this.#refuseLate(request.lane);
    const isAdded = this.#lanes.add(request, { maxTurns: this.#limits.socket_turns });
    return isAdded ? undefined : this.#client.refuse(new Refusal('concurrency_limit_exceeded'), request.lane);
  }

  #run(turn: ActiveTurn): Promise<void> {
    clearTimeout(this.#idle);
    return this.#turns.run(turn);
  }

  /** Closes the connection or waits for a turn, once a lane has no further turn. */
  #turnsEnded(): void {
    if (this.#goodbye) this.#leave(this.#goodbye);
    else if (this.#client.isOpen && this.#lanes.running === 0) this.#awaitTurn();
  }

  /** Closes the connection if no turn begins in time. */
  #awaitTurn(): void {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.#client.close(GOING_AWAY, 'idle'), msOf(this.#limits.socket_idle_s));
    this.#idle.unref();
  }

  /** Closes the connection once no turn runs. The first reason counts. */
  #leave(goodbye: () => void): void {
    this.#goodbye ??= goodbye;
    if (this.#client.isOpen && this.#lanes.running === 0) this.#goodbye();
  }

  #expire(): void {
    this.#isExpired = true;
    this.#leave(() => {
      this.#client.emit(timeLimit);
      this.#client.close(GOING_AWAY, 'time limit');
    });
  }

  /** Refuses a turn on a connection that closes when those that run have ended. */
  #refuseLate(lane: string | undefined): void {
    if (this.#isExpired) this.#client.emit(timeLimit, lane);
    else this.#client.refuse(stopping(), lane);
  }

  #refuseSize(): void {
    const message = `A message has at most ${this.#limits.socket_message_mb} MB.`;
    this.#client.refuse(new Refusal('body_too_large', { message }));
    this.#client.close(TOO_BIG, 'message too big');
  }
}

const timeLimit = {
  type: 'error',
  status: 400,
  error: {
    type: 'invalid_request_error',
    code: 'websocket_connection_limit_reached',
    message: 'The WebSocket has reached its time limit. Open a new one to continue.',
    param: null,
  },
};

const unknownType = (): Refusal =>
  new Refusal('invalid_request', {
    param: 'type',
    message: "type must be 'response.create' or 'response.steer'",
  });
