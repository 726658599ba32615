import { objectOf, textOf } from '../../../base/json/read-json.ts';
import { isObject } from '../../../base/lib/is-object.ts';
import type { Fields } from '../../../base/schema/json-type.ts';
import type { DecodedEvents } from '../../canonical/decoded-events.ts';
import { beginCall } from './begin-call.ts';
import { readSignature } from './call-signature.ts';
import { type CallPiece, findCall } from './find-call.ts';
import type { Speech } from './speech.ts';

type Call = {
  /** The host's number of the call, if it has one. */
  number: number | undefined;
  id: string;
  /** Undefined until the name is known, since a call's first event must contain its name. */
  partIndex: number | undefined;
  /** The input that came before the name. */
  heldInput: string;
};

type Piece = CallPiece & { fields: Fields; callee: Fields };

function pieceOf(fields: Fields): Piece {
  const callee = objectOf(fields.function ?? fields.custom);
  const number = typeof fields.index === 'number' ? fields.index : undefined;
  return { fields, callee, number, id: textOf(fields.id) ?? '', name: textOf(callee.name) ?? '' };
}

/** Returns input as text. A few hosts send the arguments as an object. */
function inputOf({ arguments: json, input }: Fields): string {
  const sent = json ?? input;
  return isObject(sent) ? JSON.stringify(sent) : (textOf(sent) ?? '');
}

/**
 * Assembles tool calls from their pieces, even if the host omits indexes, ids or names. Calls stay open until
 * the end, since hosts may interleave them.
 */
export class CallAssembly {
  readonly #events: DecodedEvents;
  readonly #speech: Speech;
  readonly #calls: Call[] = [];

  constructor(events: DecodedEvents, speech: Speech) {
    this.#events = events;
    this.#speech = speech;
  }

  get hasCalls(): boolean {
    return this.#calls.some(({ partIndex }) => partIndex !== undefined);
  }

  add(fields: Fields): void {
    const piece = pieceOf(fields);
    const call = findCall(this.#calls, piece) ?? this.#begin(piece);
    call.id ||= piece.id;
    if (call.partIndex === undefined) this.#start(call, piece);
    this.#addInput(call, inputOf(piece.callee));
    const replay = readSignature(fields);
    if (replay && call.partIndex !== undefined)
      this.#events.growPart(call.partIndex, { kind: 'replay-token', replay });
  }

  endAll(): void {
    for (const { partIndex } of this.#calls) if (partIndex !== undefined) this.#events.endPart(partIndex);
  }

  #begin({ number, id }: Piece): Call {
    return beginCall(this.#calls, { number, id, partIndex: undefined, heldInput: '' });
  }

  /** Starts the part of a call if the piece names it. */
  #start(call: Call, { fields, name }: Piece): void {
    if (name === '') return;
    call.id ||= this.#newId(call);
    this.#speech.end();
    const inputKind = isObject(fields.custom) ? 'freeform' : 'json';
    call.partIndex = this.#events.beginPart({ kind: 'tool-call', callId: call.id, name, inputKind });
  }

  /** Makes an id for a call of a host that gives none. */
  #newId(call: Call): string {
    const { responseId = '' } = this.#events;
    return `call_${responseId.replace(/[^\w-]/g, '').slice(-24)}_${this.#calls.indexOf(call)}`;
  }

  #addInput(call: Call, input: string): void {
    const text = call.heldInput + input;
    call.heldInput = call.partIndex === undefined ? text : '';
    if (call.partIndex !== undefined && text !== '')
      this.#events.growPart(call.partIndex, { kind: 'tool-input', text });
  }
}
