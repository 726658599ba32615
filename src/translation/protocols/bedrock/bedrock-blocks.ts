import type { Fields } from '../../../base/schema/json-type.ts';
import type { DecodedEvents } from '../../canonical/decoded-events.ts';
import type { PartDelta, PartHead } from '../../canonical/event.ts';
import { joinBlock } from './join-block.ts';

type StreamedHead = Extract<PartHead, { kind: 'text' | 'thinking' | 'tool-call' }>;

/** A block whose part is open. A signature may arrive in pieces, so it is emitted when the block ends. */
type StreamedBlock = { kind: StreamedHead['kind']; partIndex: number; signature: string };

/** A block that is only collected. Its part begins and ends when the block ends. */
type CollectedBlock =
  | { kind: 'redacted-thinking'; pieces: Buffer[] }
  | { kind: 'opaque'; start: Fields; deltas: Fields[] };

/** Holds the open blocks of one answer by the vendor's index, and writes the events of their parts. */
export class BedrockBlocks {
  readonly #events: DecodedEvents;
  readonly #blocks = new Map<number, StreamedBlock | CollectedBlock>();

  constructor(events: DecodedEvents) {
    this.#events = events;
  }

  get(blockIndex: number): StreamedBlock | CollectedBlock | undefined {
    return this.#blocks.get(blockIndex);
  }

  /** Begins a block whose part opens now. */
  begin(blockIndex: number, head: StreamedHead): StreamedBlock {
    this.#closeBefore(blockIndex);
    const block = { kind: head.kind, partIndex: this.#events.beginPart(head), signature: '' };
    this.#blocks.set(blockIndex, block);
    return block;
  }

  /** Returns the open block if it has this kind. Otherwise one begins, since its start event is optional. */
  beginOrContinue(blockIndex: number, head: StreamedHead): StreamedBlock {
    const block = this.#blocks.get(blockIndex);
    return block?.kind === head.kind ? block : this.begin(blockIndex, head);
  }

  /** Begins a block that is only collected. */
  collect(blockIndex: number, block: CollectedBlock): void {
    this.#closeBefore(blockIndex);
    this.#blocks.set(blockIndex, block);
  }

  grow({ partIndex }: StreamedBlock, delta: PartDelta): void {
    this.#events.growPart(partIndex, delta);
  }

  close(blockIndex: number): void {
    const block = this.#blocks.get(blockIndex);
    if (block === undefined) return;
    this.#blocks.delete(blockIndex);
    this.#endPart(block);
  }

  closeAll(): void {
    for (const blockIndex of this.#blocks.keys()) this.close(blockIndex);
  }

  /** Closes what a new block ends: a block of the same index, and open blocks without a start event. */
  #closeBefore(blockIndex: number): void {
    for (const [openIndex, { kind }] of this.#blocks)
      if (openIndex === blockIndex || kind !== 'tool-call') this.close(openIndex);
  }

  /** Emits what a block has held back, and ends its part. */
  #endPart(block: StreamedBlock | CollectedBlock): void {
    switch (block.kind) {
      case 'redacted-thinking': {
        const data = Buffer.concat(block.pieces).toString('base64');
        this.#events.addPart({ kind: block.kind, replay: { issuer: 'bedrock', data } });
        return;
      }
      case 'opaque': {
        const joined = joinBlock(block.start, block.deltas);
        this.#events.addPart({ kind: block.kind, issuer: 'bedrock', block: joined });
        return;
      }
      default: {
        const { partIndex, signature } = block;
        if (signature !== '')
          this.grow(block, { kind: 'replay-token', replay: { issuer: 'bedrock', data: signature } });
        this.#events.endPart(partIndex);
      }
    }
  }
}
