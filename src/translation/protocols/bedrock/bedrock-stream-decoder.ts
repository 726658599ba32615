import { objectOf, parseObject, textOf } from '../../../base/json/read-json.ts';
import { isObject } from '../../../base/lib/is-object.ts';
import { lookUp } from '../../../base/lib/records.ts';
import type { Fields } from '../../../base/schema/json-type.ts';
import type { PartDelta, PartHead, Stop, StreamEvent } from '../../canonical/event.ts';
import type { Frame } from '../../contract/codec.ts';
import { citationOf } from './citation-of.ts';
import { closingFrame } from './explode.ts';
import { joinBlock } from './join-block.ts';
import { stopOf } from './stop-of.ts';
import { isException, refusalOf } from './stream-error.ts';
import { usageOf } from './usage-of.ts';

type StreamedHead = Extract<PartHead, { kind: 'text' | 'thinking' | 'tool-call' }>;

/** A block whose part is open. A signature may arrive in pieces, so it is emitted when the block ends. */
type StreamedBlock = { kind: StreamedHead['kind']; partIndex: number; signature: string };

/** A block that is only collected. Its part begins and ends when the block ends. */
type CollectedBlock =
  | { kind: 'redacted-thinking'; pieces: Buffer[] }
  | { kind: 'opaque'; start: Fields; deltas: Fields[] };

type Block = StreamedBlock | CollectedBlock;

/**
 * Decodes one stream. Text and thinking blocks have no start event, and some models send no end event either.
 */
export class BedrockStreamDecoder {
  #events: StreamEvent[] = [];
  /** The open blocks by the vendor's index. */
  readonly #blocks = new Map<number, Block>();
  #nextPartIndex = 0;
  #isStarted = false;
  #isEnded = false;
  #stop: Stop | undefined;

  read({ event = '', data }: Frame): StreamEvent[] {
    this.#events = [];
    if (this.#isEnded) return [];
    if (event === closingFrame.event) this.#finish();
    else if (isException(event)) this.#fail(event, data);
    else lookUp(this.#readers, event)?.(parseObject(data));
    return this.#events;
  }

  /** The readers of payloads by event type. Other events carry nothing that an answer needs. */
  readonly #readers: Readonly<Record<string, (payload: Fields) => void>> = {
    messageStart: () => this.#start(),
    contentBlockStart: (payload) =>
      this.#blockStart(Number(payload.contentBlockIndex), objectOf(payload.start)),
    contentBlockDelta: (payload) =>
      this.#blockDelta(Number(payload.contentBlockIndex), objectOf(payload.delta)),
    contentBlockStop: (payload) => this.#close(Number(payload.contentBlockIndex)),
    messageStop: (payload) => {
      this.#stop = stopOf(payload);
    },
    metadata: ({ usage }) => {
      this.#start();
      const counts = usageOf(usage);
      if (counts) this.#events.push({ type: 'usage', usage: counts });
    },
  };

  /** Starts the answer without names, since the vendor names neither the answer nor the model. */
  #start(): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    this.#events.push({ type: 'response-start', responseId: '', model: '' });
  }

  #finish(): void {
    if (this.#stop === undefined) return; // the stream was cut
    this.#start();
    for (const blockIndex of this.#blocks.keys()) this.#close(blockIndex);
    this.#isEnded = true;
    this.#events.push({ type: 'response-end', stop: this.#stop });
  }

  #fail(event: string, data: string): void {
    this.#isEnded = true;
    this.#events.push({ type: 'response-error', refusal: refusalOf(event, data) });
  }

  #blockStart(blockIndex: number, start: Fields): void {
    this.#start();
    if (Object.keys(start).length === 0) return; // a text block, which begins with its first delta
    const call = objectOf(start.toolUse);
    const name = textOf(call.name);
    // A type marks a tool that the vendor runs itself.
    if (name === undefined || call.type !== undefined) {
      this.#collect(blockIndex, { kind: 'opaque', start, deltas: [] });
    } else {
      const callId = textOf(call.toolUseId) ?? '';
      this.#open(blockIndex, { kind: 'tool-call', callId, name, inputKind: 'json' });
    }
  }

  #blockDelta(blockIndex: number, delta: Fields): void {
    this.#start();
    const block = this.#blocks.get(blockIndex);
    if (block?.kind === 'opaque') block.deltas.push(delta);
    else if (typeof delta.text === 'string') this.#text(blockIndex, delta.text);
    else if (isObject(delta.toolUse)) this.#input(blockIndex, delta.toolUse);
    else if (isObject(delta.reasoningContent)) this.#thinking(blockIndex, delta.reasoningContent);
    else if (isObject(delta.citation)) this.#cite(blockIndex, delta.citation);
    else this.#collect(blockIndex, { kind: 'opaque', start: {}, deltas: [delta] });
  }

  #text(blockIndex: number, text: string): void {
    if (text !== '') this.#delta(this.#continue(blockIndex, { kind: 'text' }), { kind: 'text', text });
  }

  #cite(blockIndex: number, citation: Fields): void {
    const block = this.#continue(blockIndex, { kind: 'text' });
    this.#delta(block, { kind: 'citation', citation: citationOf(citation) });
  }

  #input(blockIndex: number, { input }: Fields): void {
    const block = this.#blocks.get(blockIndex);
    const text = typeof input === 'string' ? input : JSON.stringify(input ?? '');
    if (block?.kind === 'tool-call' && text !== '') this.#delta(block, { kind: 'tool-input', text });
  }

  #thinking(blockIndex: number, { text, signature, redactedContent }: Fields): void {
    if (typeof redactedContent === 'string') {
      this.#redacted(blockIndex, Buffer.from(redactedContent, 'base64'));
      return;
    }
    const block = this.#continue(blockIndex, { kind: 'thinking', form: 'full' });
    if (typeof text === 'string' && text !== '') this.#delta(block, { kind: 'thinking', text });
    if (typeof signature === 'string') block.signature += signature;
  }

  #redacted(blockIndex: number, piece: Buffer): void {
    const block = this.#blocks.get(blockIndex);
    if (block?.kind === 'redacted-thinking') block.pieces.push(piece);
    else this.#collect(blockIndex, { kind: 'redacted-thinking', pieces: [piece] });
  }

  #continue(blockIndex: number, head: StreamedHead): StreamedBlock {
    const block = this.#blocks.get(blockIndex);
    return block?.kind === head.kind ? block : this.#open(blockIndex, head);
  }

  #open(blockIndex: number, head: StreamedHead): StreamedBlock {
    this.#closeBefore(blockIndex);
    const block = { kind: head.kind, partIndex: this.#startPart(head), signature: '' };
    this.#blocks.set(blockIndex, block);
    return block;
  }

  #collect(blockIndex: number, block: CollectedBlock): void {
    this.#closeBefore(blockIndex);
    this.#blocks.set(blockIndex, block);
  }

  /** Closes what a new block ends: a block of the same index, and open blocks without a start event. */
  #closeBefore(blockIndex: number): void {
    for (const [openIndex, { kind }] of this.#blocks)
      if (openIndex === blockIndex || kind !== 'tool-call') this.#close(openIndex);
  }

  #startPart(head: PartHead): number {
    const index = this.#nextPartIndex++;
    this.#events.push({ type: 'part-start', index, part: head });
    return index;
  }

  #delta({ partIndex }: StreamedBlock, delta: PartDelta): void {
    this.#events.push({ type: 'part-delta', index: partIndex, delta });
  }

  #close(blockIndex: number): void {
    const block = this.#blocks.get(blockIndex);
    if (block === undefined) return;
    this.#blocks.delete(blockIndex);
    this.#events.push({ type: 'part-end', index: this.#completePart(block) });
  }

  /** Emits what a block has held back, and returns the index of its part. */
  #completePart(block: Block): number {
    switch (block.kind) {
      case 'redacted-thinking': {
        const data = Buffer.concat(block.pieces).toString('base64');
        return this.#startPart({ kind: block.kind, replay: { issuer: 'bedrock', data } });
      }
      case 'opaque': {
        const joined = joinBlock(block.start, block.deltas);
        return this.#startPart({ kind: block.kind, issuer: 'bedrock', block: joined });
      }
      default: {
        const { partIndex, signature } = block;
        if (signature !== '')
          this.#delta(block, { kind: 'replay-token', replay: { issuer: 'bedrock', data: signature } });
        return partIndex;
      }
    }
  }
}
