import { numberIn, objectOf, parseObject, textOf } from '../../../base/json/read-json.ts';
import { isObject } from '../../../base/lib/is-object.ts';
import { lookUp } from '../../../base/lib/records.ts';
import type { Fields } from '../../../base/schema/json-type.ts';
import { DecodedEvents } from '../../canonical/decoded-events.ts';
import type { Stop, StreamEvent } from '../../canonical/event.ts';
import { END_OF_STREAM, type Frame } from '../../contract/frame.ts';
import { BedrockBlocks } from './bedrock-blocks.ts';
import { citationOf } from './citation-of.ts';
import { stopOf } from './stop-of.ts';
import { isException, refusalOf } from './stream-error.ts';
import { usageOf } from './usage-of.ts';

/**
 * Decodes one stream. The vendor names neither the answer nor the model. Text and thinking blocks have no
 * start event, and some models send no end event either.
 */
export class BedrockStreamDecoder {
  readonly #events = new DecodedEvents();
  readonly #blocks = new BedrockBlocks(this.#events);
  #stop: Stop | undefined;

  read({ event = '', data }: Frame): StreamEvent[] {
    if (this.#events.hasEnded) return [];
    if (event === END_OF_STREAM.event) this.#endAnswer();
    else if (isException(event)) this.#events.fail(refusalOf(event, data));
    else lookUp(this.#readers, event)?.(parseObject(data));
    return this.#events.take();
  }

  /** The readers of payloads by event type. Other events carry nothing that an answer needs. */
  readonly #readers: Readonly<Record<string, (payload: Fields) => void>> = {
    messageStart: () => this.#events.start(),
    contentBlockStart: (payload) => {
      this.#events.start();
      this.#beginBlock(numberIn(payload.contentBlockIndex), objectOf(payload.start));
    },
    contentBlockDelta: (payload) => {
      this.#events.start();
      this.#growBlock(numberIn(payload.contentBlockIndex), objectOf(payload.delta));
    },
    contentBlockStop: (payload) => this.#blocks.close(numberIn(payload.contentBlockIndex)),
    messageStop: (payload) => {
      this.#stop = stopOf(payload);
    },
    metadata: ({ usage }) => {
      this.#events.start();
      this.#events.addUsage(usageOf(usage));
    },
  };

  #endAnswer(): void {
    if (this.#stop === undefined) return; // the stream was cut
    this.#events.start();
    this.#blocks.closeAll();
    this.#events.end(this.#stop);
  }

  #beginBlock(blockIndex: number, start: Fields): void {
    if (Object.keys(start).length === 0) return; // a text block, which begins with its first delta
    const call = objectOf(start.toolUse);
    const name = textOf(call.name);
    // A type marks a tool that the vendor runs itself.
    if (name === undefined || call.type !== undefined) {
      this.#blocks.collect(blockIndex, { kind: 'opaque', start, deltas: [] });
    } else {
      const callId = textOf(call.toolUseId) ?? '';
      this.#blocks.begin(blockIndex, { kind: 'tool-call', callId, name, inputKind: 'json' });
    }
  }

  #growBlock(blockIndex: number, delta: Fields): void {
    const block = this.#blocks.get(blockIndex);
    if (block?.kind === 'opaque') block.deltas.push(delta);
    else if (typeof delta.text === 'string') this.#addText(blockIndex, delta.text);
    else if (isObject(delta.toolUse)) this.#addInput(blockIndex, delta.toolUse);
    else if (isObject(delta.reasoningContent)) this.#addThought(blockIndex, delta.reasoningContent);
    else if (isObject(delta.citation)) this.#addCitation(blockIndex, delta.citation);
    else this.#blocks.collect(blockIndex, { kind: 'opaque', start: {}, deltas: [delta] });
  }

  #addText(blockIndex: number, text: string): void {
    if (text === '') return;
    this.#blocks.grow(this.#blocks.beginOrContinue(blockIndex, { kind: 'text' }), { kind: 'text', text });
  }

  #addCitation(blockIndex: number, citation: Fields): void {
    const block = this.#blocks.beginOrContinue(blockIndex, { kind: 'text' });
    this.#blocks.grow(block, { kind: 'citation', citation: citationOf(citation) });
  }

  #addInput(blockIndex: number, { input }: Fields): void {
    const block = this.#blocks.get(blockIndex);
    const text = typeof input === 'string' ? input : JSON.stringify(input ?? '');
    if (block?.kind === 'tool-call' && text !== '') this.#blocks.grow(block, { kind: 'tool-input', text });
  }

  #addThought(blockIndex: number, { text, signature, redactedContent }: Fields): void {
    if (typeof redactedContent === 'string') {
      this.#addRedacted(blockIndex, Buffer.from(redactedContent, 'base64'));
      return;
    }
    const block = this.#blocks.beginOrContinue(blockIndex, { kind: 'thinking', form: 'full' });
    if (typeof text === 'string' && text !== '') this.#blocks.grow(block, { kind: 'thinking', text });
    if (typeof signature === 'string') block.signature += signature;
  }

  #addRedacted(blockIndex: number, piece: Buffer): void {
    const block = this.#blocks.get(blockIndex);
    if (block?.kind === 'redacted-thinking') block.pieces.push(piece);
    else this.#blocks.collect(blockIndex, { kind: 'redacted-thinking', pieces: [piece] });
  }
}
