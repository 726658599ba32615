import { Collector } from '../../canonical/collect.ts';
import type { PartDelta, PartHead, StreamEvent } from '../../canonical/event.ts';
import type { Frame, ResponseHead } from '../../contract/codec.ts';
import { streamProofs } from '../../encoding/call-proofs.ts';
import { objectInput } from '../../encoding/flat-tool.ts';
import { encodeHead, encodeInteraction } from './encode-interaction.ts';
import { callStep, encodeCitation, encodeStep, showsSummaries } from './encode-step.ts';
import { InteractionEvents } from './interaction-events.ts';
import { signatureText } from './signature-text.ts';

/** `wrapped`: the text of a call that does not take JSON, which is sent as one object at its end. */
type OpenStep = { index: number; wrapped?: string };

/** Encodes one stream. Each part of the answer is a step. */
export class InteractionsStreamEncoder {
  readonly #head: ResponseHead;
  readonly #isShown: boolean;
  readonly #events = new InteractionEvents();
  readonly #collector = new Collector();
  readonly #prove = streamProofs();
  readonly #open = new Map<number, OpenStep>();
  #next = 0;

  constructor(head: ResponseHead) {
    this.#head = head;
    this.#isShown = showsSummaries(head.request);
  }

  encode(event: StreamEvent): Frame[] {
    if (event.type === 'response-error') return [this.#events.error(event.refusal, event.unsent)];
    this.#collector.add(event);
    return this.#prove(event).flatMap((proven) => this.#frames(proven));
  }

  #frames(event: StreamEvent): Frame[] {
    switch (event.type) {
      case 'response-start':
        return this.#begin();
      case 'part-start':
        return this.#start(event.index, event.part);
      case 'part-delta':
        return this.#grow(this.#open.get(event.index), event.delta);
      case 'part-end':
        return this.#end(event.index);
      case 'response-end':
        return this.#finish();
      default:
        return [];
    }
  }

  #begin(): Frame[] {
    const interaction = encodeHead(this.#head, 'in_progress');
    return this.#events.begin(interaction);
  }

  #start(index: number, part: PartHead): Frame[] {
    const step = this.#stepOf(part);
    if (step === undefined) return [];
    const isFreeform = part.kind === 'tool-call' && part.inputKind === 'freeform';
    const open: OpenStep = { index: this.#next++, ...(isFreeform && { wrapped: '' }) };
    this.#open.set(index, open);
    return [this.#events.frame('step.start', { index: open.index, step })];
  }

  /** Returns the beginning of a step. A step without deltas begins with all that it says. */
  #stepOf(part: PartHead): object | undefined {
    if (part.kind === 'text' || part.kind === 'refusal') return { type: 'model_output' };
    if (part.kind === 'thinking') return { type: 'thought' };
    if (part.kind === 'tool-call') return { ...callStep(part), arguments: {} };
    return encodeStep(part, this.#isShown)[0];
  }

  #grow(open: OpenStep | undefined, delta: PartDelta): Frame[] {
    if (open?.wrapped !== undefined && delta.kind === 'tool-input') {
      open.wrapped += delta.text;
      return [];
    }
    const made = open && this.#deltaOf(delta);
    return made ? [this.#events.frame('step.delta', { index: open.index, delta: made })] : [];
  }

  #deltaOf(delta: PartDelta): object | undefined {
    switch (delta.kind) {
      case 'text':
      case 'refusal':
        return delta.text === '' ? undefined : { type: 'text', text: delta.text };
      case 'thinking':
        return this.#isShown && delta.text !== ''
          ? { type: 'thought_summary', content: { type: 'text', text: delta.text } }
          : undefined;
      case 'tool-input':
        return delta.text === '' ? undefined : { type: 'arguments_delta', arguments: delta.text };
      case 'replay-token':
        return { type: 'thought_signature', signature: signatureText(delta.replay) };
      case 'citation': {
        const annotations = encodeCitation(delta.citation);
        return annotations.length > 0 ? { type: 'text_annotation_delta', annotations } : undefined;
      }
      default:
        return undefined;
    }
  }

  #end(index: number): Frame[] {
    const open = this.#open.get(index);
    if (open === undefined) return [];
    this.#open.delete(index);
    const { wrapped, ...place } = open;
    const stop = () => this.#events.frame('step.stop', place);
    if (wrapped === undefined) return [stop()];
    const input = objectInput({ kind: 'freeform', text: wrapped });
    const delta = { type: 'arguments_delta', arguments: input };
    return [this.#events.frame('step.delta', { ...place, delta }), stop()];
  }

  #finish(): Frame[] {
    return this.#events.finish(encodeInteraction(this.#collector.response, this.#head));
  }
}
