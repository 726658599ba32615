import { Refusal } from '../../base/errors/refusal.ts';
import { MAX_BODY_BYTES } from '../../base/json/body-sizes.ts';
import type { JsonBody } from '../../base/json/json-body.ts';
import { objectOf } from '../../base/json/read-json.ts';
import { newId } from '../../base/lib/ids.ts';
import { successorOf } from './continued-request.ts';
import type { SocketMemory } from './socket-memory.ts';
import { type SteerProblem, steerFailure } from './steer-failure.ts';
import type { ActiveTurn, Steer } from './turn-lanes.ts';
import type { TurnRequest } from './turn-request.ts';

export type SteeringParts = {
  /** Sends an event. Returns a promise to wait for if the client is too slow. */
  emit(event: object, lane: string | undefined): Promise<void> | undefined;
  /** Finds the active turn that makes a response. */
  turnOf(responseId: string): ActiveTurn | undefined;
  /** Reports whether the connection has this response. */
  isRecent(responseId: string): boolean;
  /** Reports whether a model can be steered. */
  steers(model: string): boolean;
  memory: Pick<SocketMemory, 'keep'>;
};

const MAX_STEERS = 16;
/** The most responses whose input waits for the results of their calls. The oldest are forgotten first. */
const MAX_PENDING = 16;
/** The characters of all input that waits on a connection. */
const MAX_CHARACTERS = MAX_BODY_BYTES;

/** Takes input that a client adds to a response in progress. The next turn of the lane gets it. */
export class Steering {
  readonly #parts: SteeringParts;
  /** Input that waits for the results of a response's calls, by the response. */
  readonly #pending = new Map<string, Steer[]>();
  /** The active turns that have taken input. */
  readonly #steered = new Set<ActiveTurn>();
  #sequence = 0;

  constructor(parts: SteeringParts) {
    this.#parts = parts;
  }

  /** Takes a `response.steer`, or reports why it has no effect. Returns like `emit()`. */
  steer({ text, value: { input, previous_response_id } }: JsonBody): Promise<void> | undefined {
    const id = typeof previous_response_id === 'string' ? previous_response_id : '';
    const turn = this.#parts.turnOf(id);
    const accepting = this.#acceptingTurn(turn, id, { input, length: text.length });
    if (typeof accepting === 'string')
      return this.#fail(accepting, { input, previous_response_id: id }, turn?.request.lane);
    const steer = { id: newId('steer_'), input, length: text.length };
    accepting.steers.push(steer);
    this.#steered.add(accepting);
    return this.#parts.emit(
      {
        type: 'response.steer.accepted',
        sequence_number: this.#sequence++,
        steer: { id: steer.id, previous_response_id: id },
      },
      accepting.request.lane,
    );
  }

  /** Returns the list of the items that wait for the results of a response's calls. */
  pendingInput(responseId: string): string | undefined {
    const waiting = this.#pending.get(responseId);
    return waiting && listText(waiting);
  }

  /** Forgets the input that waited for the results of a response's calls. */
  forget(responseId: string): void {
    this.#pending.delete(responseId);
    this.#keepAll();
  }

  /** Reports that the input of a turn was not used. */
  failAll(turn: ActiveTurn): void {
    this.#release(turn);
    const { request, steers, id = '' } = turn;
    for (const { length: _, ...steer } of steers)
      this.#fail('successor_creation_failed', { ...steer, previous_response_id: id }, request.lane);
  }

  /**
   * Returns the turn that continues a finished one with its input. Returns undefined if the input waits for
   * the results of calls, or cannot be used.
   */
  successor(turn: ActiveTurn, id: string, output: readonly unknown[]): TurnRequest | undefined {
    this.#release(turn);
    const { lane, body: before } = turn.request;
    const calls = output
      .map(objectOf)
      .filter(({ type }) => type === 'function_call' || type === 'custom_tool_call');
    if (calls.length > 0) {
      this.#keepForCalls(turn, id, calls);
      return undefined;
    }
    const body = successorOf(before, { id, input: listText(turn.steers) });
    if (!(body instanceof Refusal)) return { lane, generates: true, body };
    this.failAll(turn);
    return undefined;
  }

  /** Keeps the input of a turn until the client has sent the results of its calls. */
  #keepForCalls(turn: ActiveTurn, id: string, calls: readonly Record<string, unknown>[]) {
    const { request, steers } = turn;
    this.#pending.set(id, steers);
    while (this.#pending.size > MAX_PENDING || !this.#keepAll())
      this.#pending.delete(this.#pending.keys().next().value!);
    if (!this.#pending.has(id)) return this.failAll(turn);
    const required = calls.map(({ type, call_id }) => ({ type: `${String(type)}_output`, call_id }));
    for (const { id: steer } of steers)
      this.#parts.emit(
        {
          type: 'response.steer.pending',
          sequence_number: this.#sequence++,
          reason: 'waiting_for_required_input',
          required_input: required,
          steer: { id: steer, previous_response_id: id },
        },
        request.lane,
      );
  }

  /** Gives up the memory of the input of a turn that has ended. */
  #release(turn: ActiveTurn): void {
    if (this.#steered.delete(turn)) this.#keepAll();
  }

  /** Books the memory of all input that waits. Returns false if there is none. */
  #keepAll(): boolean {
    return this.#parts.memory.keep('steered', lengthOf(this.#waiting()));
  }

  #waiting(): Steer[] {
    return [...this.#pending.values(), ...[...this.#steered].map(({ steers }) => steers)].flat();
  }

  #fail(problem: SteerProblem, steer: object, lane: string | undefined): Promise<void> | undefined {
    return this.#parts.emit(steerFailure(problem, { number: this.#sequence++, steer }), lane);
  }

  /** Books the input. Returns the turn that takes it, or the problem with it. */
  #acceptingTurn(
    turn: ActiveTurn | undefined,
    id: string,
    { input, length }: Omit<Steer, 'id'>,
  ): ActiveTurn | SteerProblem {
    if (itemsIn(input) === undefined) return 'invalid_input';
    if (!turn) return this.#parts.isRecent(id) ? 'response_already_completed' : 'response_not_found';
    const { conversation, context_management, model } = turn.request.body.value;
    if (conversation != null || context_management != null || !this.#parts.steers(String(model)))
      return 'steering_not_supported';
    const characters = length + lengthOf(this.#waiting());
    const isFull =
      turn.steers.length >= MAX_STEERS ||
      characters > MAX_CHARACTERS ||
      !this.#parts.memory.keep('steered', characters);
    return isFull ? 'too_many_pending_steers' : turn;
  }
}

/** Returns steered input as items, or undefined if it is invalid. */
function itemsIn(input: unknown): unknown[] | undefined {
  if (typeof input === 'string' && input !== '') return [{ type: 'message', role: 'user', content: input }];
  if (!Array.isArray(input) || input.length === 0) return undefined;
  const isValid = input
    .map(objectOf)
    .every(({ type, role }) => (type ?? 'message') === 'message' && role === 'user');
  return isValid ? input : undefined;
}

const lengthOf = (steers: readonly Steer[]): number => steers.reduce((sum, { length }) => sum + length, 0);

const listText = (steers: readonly Steer[]): string =>
  JSON.stringify(steers.flatMap(({ input }) => itemsIn(input) ?? []));
