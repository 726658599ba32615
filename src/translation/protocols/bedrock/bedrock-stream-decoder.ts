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

/**
 * An open content block. `index` is the number of its part.
 * A block that is collected before its part begins has none.
 */
type Block = {
  kind: PartHead['kind'];
  index: number | undefined;
  signature: string;
  redacted: Buffer[];
  start: Fields;
  deltas: Fields[];
};

/**
 * Decodes one stream. Text and thinking blocks have no start event, and some models send no end event either.
 */
export class BedrockStreamDecoder {
  #events: StreamEvent[] = [];
  readonly #blocks = new Map<number, Block>();
  #next = 0;
  #started = false;
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

  readonly #readers: Record<string, (payload: Fields) => void> = {
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
    if (this.#started) return;
    this.#started = true;
    this.#events.push({ type: 'response-start', responseId: '', model: '' });
  }

  #finish(): void {
    if (this.#stop === undefined) return; // the stream was cut
    this.#start();
    for (const at of this.#blocks.keys()) this.#close(at);
    this.#isEnded = true;
    this.#events.push({ type: 'response-end', stop: this.#stop });
  }

  #fail(event: string, data: string): void {
    this.#isEnded = true;
    this.#events.push({ type: 'response-error', refusal: refusalOf(event, data) });
  }

  #blockStart(at: number, start: Fields): void {
    this.#start();
    if (Object.keys(start).length === 0) return; // a text block, which begins with its first delta
    const call = objectOf(start.toolUse);
    const name = textOf(call.name);
    // A type marks a tool that the vendor runs itself.
    if (name === undefined || call.type !== undefined) this.#begin(at, { kind: 'opaque', start });
    else {
      const callId = textOf(call.toolUseId) ?? '';
      this.#open(at, { kind: 'tool-call', callId, name, inputKind: 'json' });
    }
  }

  #blockDelta(at: number, delta: Fields): void {
    this.#start();
    const block = this.#blocks.get(at);
    if (block?.kind === 'opaque') block.deltas.push(delta);
    else if (typeof delta.text === 'string') this.#text(at, delta.text);
    else if (isObject(delta.toolUse)) this.#input(at, delta.toolUse);
    else if (isObject(delta.reasoningContent)) this.#thinking(at, delta.reasoningContent);
    else if (isObject(delta.citation)) this.#cite(at, delta.citation);
    else this.#begin(at, { kind: 'opaque', start: {} }).deltas.push(delta);
  }

  #text(at: number, text: string): void {
    if (text !== '') this.#delta(this.#continue(at, { kind: 'text' }), { kind: 'text', text });
  }

  #cite(at: number, citation: Fields): void {
    this.#delta(this.#continue(at, { kind: 'text' }), { kind: 'citation', citation: citationOf(citation) });
  }

  #input(at: number, { input }: Fields): void {
    const block = this.#blocks.get(at);
    const text = typeof input === 'string' ? input : JSON.stringify(input ?? '');
    if (block?.kind === 'tool-call' && text !== '') this.#delta(block, { kind: 'tool-input', text });
  }

  /**
   * Collects thinking. Signatures and redacted bytes may arrive in pieces, so they are emitted when the block
   * ends.
   */
  #thinking(at: number, { text, signature, redactedContent }: Fields): void {
    if (typeof redactedContent === 'string') {
      const block = this.#blocks.get(at) ?? this.#begin(at, { kind: 'redacted-thinking' });
      block.redacted.push(Buffer.from(redactedContent, 'base64'));
      return;
    }
    const block = this.#continue(at, { kind: 'thinking', form: 'full' });
    if (typeof text === 'string' && text !== '') this.#delta(block, { kind: 'thinking', text });
    if (typeof signature === 'string') block.signature += signature;
  }

  #continue(at: number, head: PartHead): Block {
    const block = this.#blocks.get(at);
    return block?.kind === head.kind ? block : this.#open(at, head);
  }

  #open(at: number, head: PartHead): Block {
    const block = this.#begin(at, { kind: head.kind });
    this.#announce(block, head);
    return block;
  }

  /** Begins a block. Open blocks without a start event end here. */
  #begin(at: number, made: Pick<Block, 'kind'> & Partial<Block>): Block {
    for (const [other, { kind }] of this.#blocks)
      if (other === at || kind !== 'tool-call') this.#close(other);
    const block = { index: undefined, signature: '', redacted: [], start: {}, deltas: [], ...made };
    this.#blocks.set(at, block);
    return block;
  }

  #announce(block: Block, head: PartHead): void {
    block.index = this.#next++;
    this.#events.push({ type: 'part-start', index: block.index, part: head });
  }

  #delta(block: Block, delta: PartDelta): void {
    this.#events.push({ type: 'part-delta', index: block.index!, delta });
  }

  #close(at: number): void {
    const block = this.#blocks.get(at);
    if (block === undefined) return;
    this.#blocks.delete(at);
    const { kind, signature } = block;
    if (kind === 'redacted-thinking') {
      const data = Buffer.concat(block.redacted).toString('base64');
      this.#announce(block, { kind, replay: { issuer: 'bedrock', data } });
    } else if (kind === 'opaque') {
      this.#announce(block, { kind, issuer: 'bedrock', block: joinBlock(block.start, block.deltas) });
    } else if (kind === 'thinking' && signature !== '') {
      this.#delta(block, { kind: 'replay-token', replay: { issuer: 'bedrock', data: signature } });
    }
    this.#events.push({ type: 'part-end', index: block.index! });
  }
}
