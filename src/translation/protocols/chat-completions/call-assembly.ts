import { isObject } from '../../../base/lib/is-object.ts';
import type { Fields } from '../../../base/schema/json-type.ts';
import { readSignature } from './call-signature.ts';
import type { PartEvents } from './part-events.ts';

type Call = {
  /** The host's number of the call, if it has one. */
  index: number | undefined;
  id: string;
  /** Undefined until the name is known, since a call's first event must contain its name. */
  part: number | undefined;
  /** The input that came before the name. */
  waiting: string;
};

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Returns arguments as text. A few hosts send them as an object. */
const inputOf = (value: unknown): string => (isObject(value) ? JSON.stringify(value) : textOf(value));

const calleeOf = (piece: Fields): Fields => {
  const callee = piece.function ?? piece.custom;
  return isObject(callee) ? callee : {};
};

/**
 * Assembles tool calls from their pieces, even if the host omits indexes, ids or names. Calls stay open until
 * the end, since hosts may interleave them.
 */
export class CallAssembly {
  readonly #parts: PartEvents;
  readonly #calls: Call[] = [];
  #responseId = '';

  constructor(parts: PartEvents) {
    this.#parts = parts;
  }

  get any(): boolean {
    return this.#calls.some((call) => call.part !== undefined);
  }

  /** Sets the response id, from which calls without an id get one. */
  name(responseId: string): void {
    this.#responseId = responseId;
  }

  add(piece: Fields): void {
    const callee = calleeOf(piece);
    const call = this.#find(piece, textOf(callee.name)) ?? this.#begin(piece);
    call.id ||= textOf(piece.id);
    if (call.part === undefined) this.#start(call, piece, textOf(callee.name));
    this.#grow(call, inputOf(callee.arguments ?? callee.input));
    const replay = readSignature(piece);
    if (replay && call.part !== undefined) this.#parts.delta(call.part, { kind: 'replay-token', replay });
  }

  endAll(): void {
    for (const call of this.#calls) {
      if (call.part === undefined) continue;
      this.#parts.end(call.part);
    }
  }

  /**
   * Finds the call that a piece continues. Some hosts number every call 0 and distinguish them by id. Others
   * send no numbers, or repeat the name in every piece.
   */
  #find(piece: Fields, name: string): Call | undefined {
    const index = piece.index;
    const id = textOf(piece.id);
    const isAnother = (call: Call) => name !== '' && id !== '' && call.id !== '' && call.id !== id;
    if (typeof index === 'number')
      return this.#calls.findLast((call) => call.index === index && !isAnother(call));
    if (id !== '') return this.#calls.find((call) => call.id === id);
    return name === '' ? this.#calls.at(-1) : undefined;
  }

  #begin(piece: Fields): Call {
    const index = typeof piece.index === 'number' ? piece.index : undefined;
    const call = { index, id: textOf(piece.id), part: undefined, waiting: '' };
    this.#calls.push(call);
    return call;
  }

  #start(call: Call, piece: Fields, name: string): void {
    if (name === '') return;
    call.id ||= `call_${this.#responseId.replace(/[^\w-]/g, '').slice(-24)}_${this.#calls.indexOf(call)}`;
    this.#parts.endSpeech();
    const inputKind = isObject(piece.custom) ? 'freeform' : 'json';
    call.part = this.#parts.start({ kind: 'tool-call', callId: call.id, name, inputKind });
  }

  #grow(call: Call, text: string): void {
    call.waiting += text;
    if (call.part === undefined || call.waiting === '') return;
    this.#parts.delta(call.part, { kind: 'tool-input', text: call.waiting });
    call.waiting = '';
  }
}
