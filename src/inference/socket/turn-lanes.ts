import { MAX_BODY_BYTES } from '../../base/json/body-sizes.ts';
import type { SocketMemory } from './socket-memory.ts';
import type { TurnRequest } from './turn-request.ts';

/** Input that a client added to a response, with the id of the steer and the length of its event. */
export type Steer = { id: string; input: unknown; length: number };

/** A turn that runs. `id` is that of its response, once it is known. `steers` waits for its end. */
export type ActiveTurn = {
  request: TurnRequest;
  id?: string | undefined;
  steers: Steer[];
  controller: AbortController;
};

type Lane = { queue: TurnRequest[]; active: ActiveTurn | undefined };

export type TurnLanesParts = {
  /** Runs a turn. Never throws. */
  run(turn: ActiveTurn): Promise<void>;
  /** The lanes call it when one of them has no further turn. */
  onEmptied(): void;
  memory: Pick<SocketMemory, 'keep'>;
};

const MAX_WAITING = 16;
/** The characters of all turns that wait on a socket. */
const MAX_WAITING_CHARACTERS = MAX_BODY_BYTES;

/** Runs the turns of one WebSocket: lanes side by side, and the turns of a lane one after the other. */
export class TurnLanes {
  readonly #parts: TurnLanesParts;
  readonly #lanes = new Map<string | undefined, Lane>();

  constructor(parts: TurnLanesParts) {
    this.#parts = parts;
  }

  /** The number of turns that run. */
  get running(): number {
    return [...this.#lanes.values()].filter(({ active }) => active).length;
  }

  /** Adds a turn to its lane. Returns false if the lane or the socket has too many. */
  add(request: TurnRequest, { maxTurns }: { maxTurns: number }): boolean {
    const lane = this.#lanes.get(request.lane) ?? { queue: [], active: undefined };
    const isFull = lane.active ? !this.#mayWait(lane, request) : this.running >= maxTurns;
    if (isFull) return false;
    this.#lanes.set(request.lane, lane);
    lane.queue.push(request);
    if (!lane.active) this.#next(request.lane);
    return true;
  }

  /** Adds a turn that follows the active one of its lane directly. */
  addNext(request: TurnRequest): void {
    this.#lanes.get(request.lane)?.queue.unshift(request);
  }

  /** Finds the active turn that makes a response. */
  turnOf(responseId: string): ActiveTurn | undefined {
    for (const { active } of this.#lanes.values()) if (active?.id === responseId) return active;
    return undefined;
  }

  /** Aborts the turns that run, and drops all others. */
  abort(): void {
    for (const { active } of this.#lanes.values()) active?.controller.abort();
    this.#lanes.clear();
  }

  #mayWait({ queue }: Lane, { body }: TurnRequest): boolean {
    const waiting = this.#waitingCharacters();
    const characters = waiting + body.text.length;
    return (
      queue.length < MAX_WAITING &&
      (waiting === 0 || characters <= MAX_WAITING_CHARACTERS) &&
      this.#parts.memory.keep('waiting', characters)
    );
  }

  #waitingCharacters(): number {
    return [...this.#lanes.values()]
      .flatMap(({ queue }) => queue)
      .reduce((sum, { body: { text } }) => sum + text.length, 0);
  }

  #next(name: string | undefined): void {
    const lane = this.#lanes.get(name);
    const request = lane?.queue.shift();
    this.#parts.memory.keep('waiting', this.#waitingCharacters());
    if (!lane || !request) {
      this.#lanes.delete(name);
      this.#parts.onEmptied();
      return;
    }
    const active: ActiveTurn = { request, steers: [], controller: new AbortController() };
    lane.active = active;
    void this.#parts.run(active).finally(() => {
      lane.active = undefined;
      this.#next(name);
    });
  }
}
