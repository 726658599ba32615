import { objectOf } from '../../../base/json/read-json.ts';
import type { Fields } from '../../../base/schema/json-type.ts';
import type { DecodedEvents } from '../../canonical/decoded-events.ts';
import type { PartDelta, PartHead } from '../../canonical/event.ts';
import { decodeDelta, decodeOpening, partKinds, replayDelta } from './decode-block.ts';
import { OpaqueBlock } from './opaque-block.ts';

/** A part whose block is open. `input`: the input of a call that its opening event has. */
type OpenPart = { index: number; kind: PartHead['kind']; signature: string; input?: unknown; isFed: boolean };

/** Holds the open blocks of one answer by the vendor's index, and writes the events of their parts. */
export class MessageBlocks {
  readonly #events: DecodedEvents;
  readonly #parts = new Map<number, OpenPart>();
  readonly #opaque = new Map<number, OpaqueBlock>();

  constructor(events: DecodedEvents) {
    this.#events = events;
  }

  /** True once a block has begun. */
  get hasBegun(): boolean {
    return this.#events.partCount + this.#opaque.size > 0;
  }

  open(blockIndex: number, block: Fields): void {
    this.close(blockIndex);
    const opening = decodeOpening(block);
    if (opening === undefined) {
      this.#opaque.set(blockIndex, new OpaqueBlock(block));
      return;
    }
    const part = this.#beginPart(blockIndex, opening.head);
    if (part.kind === 'tool-call') part.input = block.input;
    for (const delta of opening.deltas) this.#growPart(part, delta);
  }

  grow(blockIndex: number, fields: Fields): void {
    const opaque = this.#opaque.get(blockIndex);
    if (opaque) {
      opaque.add(fields);
      return;
    }
    const delta = decodeDelta(fields);
    const part = delta && this.#partFor(blockIndex, delta);
    if (delta === undefined || part === undefined) return;
    if (delta.kind === 'replay-token') part.signature += delta.replay.data;
    else this.#growPart(part, delta);
  }

  close(blockIndex: number): void {
    this.#closeOpaque(blockIndex);
    const part = this.#parts.get(blockIndex);
    if (part === undefined) return;
    if (part.signature !== '') this.#growPart(part, replayDelta(part.signature));
    // Without deltas the input is the one in the opening event, or `{}`.
    if (part.kind === 'tool-call' && !part.isFed)
      this.#growPart(part, { kind: 'tool-input', text: JSON.stringify(objectOf(part.input)) });
    this.#parts.delete(blockIndex);
    this.#events.endPart(part.index);
  }

  closeAll(): void {
    for (const blockIndex of [...this.#parts.keys(), ...this.#opaque.keys()]) this.close(blockIndex);
  }

  #beginPart(blockIndex: number, head: PartHead): OpenPart {
    this.#events.start();
    const part: OpenPart = {
      index: this.#events.beginPart(head),
      kind: head.kind,
      signature: '',
      isFed: false,
    };
    this.#parts.set(blockIndex, part);
    return part;
  }

  /** Returns the part for a delta. A text delta without an open text block starts a new part. */
  #partFor(blockIndex: number, { kind }: PartDelta): OpenPart | undefined {
    const part = this.#parts.get(blockIndex);
    if (part?.kind === partKinds[kind]) return part;
    if (kind !== 'text' && kind !== 'thinking') return undefined;
    this.close(blockIndex);
    return this.#beginPart(blockIndex, kind === 'text' ? { kind } : { kind, form: 'full' });
  }

  #growPart(part: OpenPart, delta: PartDelta): void {
    part.isFed = true;
    this.#events.growPart(part.index, delta);
  }

  #closeOpaque(blockIndex: number): void {
    const opaque = this.#opaque.get(blockIndex);
    if (opaque === undefined) return;
    this.#opaque.delete(blockIndex);
    this.#events.start();
    this.#events.addPart({ kind: 'opaque', issuer: 'messages', block: opaque.whole() });
  }
}
