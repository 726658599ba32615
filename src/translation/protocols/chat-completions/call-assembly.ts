import { type Fields, isFields } from '../../../base/schema/json-type.ts';
import { readSignature } from './call-signature.ts';
import type { PartEvents } from './part-events.ts';

type Call = {
  /** The host's number of the call, where it has one. */
  index: number | undefined;
  id: string;
  /** Undefined until the name is known: nothing is said of a call before that. */
  part: number | undefined;
  /** What came before the name. */
  waiting: string;
};

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Arguments are text; a few hosts send the object itself. */
const inputOf = (value: unknown): string => (isFields(value) ? JSON.stringify(value) : textOf(value));

const calleeOf = (piece: Fields): Fields => {
  const callee = piece.function ?? piece.custom;
  return isFields(callee) ? callee : {};
};

/** Puts the pieces of tool calls together, whatever hosts leave out of them. Calls stay open until the end, since hosts may mix them. */
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

  /** Calls without an id get one from here. */
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

  /** Some hosts number every call 0 and tell them apart by id; some have no numbers; some repeat the name in every piece. */
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
    const inputKind = isFields(piece.custom) ? 'freeform' : 'json';
    call.part = this.#parts.start({ kind: 'tool-call', callId: call.id, name, inputKind });
  }

  #grow(call: Call, text: string): void {
    call.waiting += text;
    if (call.part === undefined || call.waiting === '') return;
    this.#parts.delta(call.part, { kind: 'tool-input', text: call.waiting });
    call.waiting = '';
  }
}
