import { Collector } from '../../canonical/collect.ts';
import type { PartDelta, PartHead, StreamEvent } from '../../canonical/event.ts';
import type { Frame } from '../../contract/frame.ts';
import type { ResponseHead } from '../../contract/response-head.ts';
import { streamProofs } from '../../encoding/call-proofs.ts';
import { objectInput } from '../../encoding/flat-tool.ts';
import { showsThoughts } from '../google/encode-answer-part.ts';
import { encodeInteraction } from './encode-interaction.ts';
import { callStep, encodeCitation, encodeStep, type StepView } from './encode-step.ts';
import { InteractionEvents } from './interaction-events.ts';
import { encodeHead } from './interaction-head.ts';
import { signatureText } from './signature-text.ts';

type SentStep = {
  index: number;
  /** The text of a call that does not take JSON. It is sent as one object at the call's end. */
  freeform?: string;
};

/** Encodes one stream. Each part of the answer is a step. */
export class InteractionsStreamEncoder {
  readonly #head: ResponseHead;
  readonly #view: StepView;
  readonly #events = new InteractionEvents();
  readonly #collector = new Collector();
  readonly #withProofs = streamProofs();
  readonly #openSteps = new Map<number, SentStep>();
  #stepCount = 0;

  constructor(head: ResponseHead) {
    this.#head = head;
    this.#view = { showsSummaries: showsThoughts(head.request) };
  }

  encode(event: StreamEvent): Frame[] {
    if (event.type === 'response-error') return [this.#events.error(event.refusal, event.unsent)];
    this.#collector.add(event);
    return this.#withProofs(event).flatMap((proven) => this.#framesOf(proven));
  }

  #framesOf(event: StreamEvent): Frame[] {
    switch (event.type) {
      case 'response-start':
        return this.#beginInteraction();
      case 'part-start':
        return this.#beginStep(event.index, event.part);
      case 'part-delta':
        return this.#growStep(this.#openSteps.get(event.index), event.delta);
      case 'part-end':
        return this.#endStep(event.index);
      case 'response-end':
        return this.#finishInteraction();
      default:
        return [];
    }
  }

  #beginInteraction(): Frame[] {
    return this.#events.begin(encodeHead(this.#head, 'in_progress'));
  }

  #beginStep(index: number, part: PartHead): Frame[] {
    const step = this.#firstForm(part);
    if (step === undefined) return [];
    const isFreeform = part.kind === 'tool-call' && part.inputKind === 'freeform';
    const open: SentStep = { index: this.#stepCount++, ...(isFreeform && { freeform: '' }) };
    this.#openSteps.set(index, open);
    return [this.#events.frame('step.start', { index: open.index, step })];
  }

  /** Returns a step as it begins. A step without deltas begins with all that it says. */
  #firstForm(part: PartHead): object | undefined {
    if (part.kind === 'text' || part.kind === 'refusal') return { type: 'model_output' };
    if (part.kind === 'thinking') return { type: 'thought' };
    if (part.kind === 'tool-call') return { ...callStep(part), arguments: {} };
    return encodeStep(part, this.#view)[0];
  }

  #growStep(open: SentStep | undefined, delta: PartDelta): Frame[] {
    if (open?.freeform !== undefined && delta.kind === 'tool-input') {
      open.freeform += delta.text;
      return [];
    }
    const encoded = open && this.#encodeDelta(delta);
    return encoded ? [this.#events.frame('step.delta', { index: open.index, delta: encoded })] : [];
  }

  #encodeDelta(delta: PartDelta): object | undefined {
    switch (delta.kind) {
      case 'text':
      case 'refusal':
        return delta.text === '' ? undefined : { type: 'text', text: delta.text };
      case 'thinking':
        return this.#view.showsSummaries && delta.text !== ''
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

  #endStep(index: number): Frame[] {
    const open = this.#openSteps.get(index);
    if (open === undefined) return [];
    this.#openSteps.delete(index);
    const { index: step, freeform } = open;
    const frames: Frame[] = [];
    if (freeform !== undefined) {
      const input = objectInput({ kind: 'freeform', text: freeform });
      const delta = { type: 'arguments_delta', arguments: input };
      frames.push(this.#events.frame('step.delta', { index: step, delta }));
    }
    return [...frames, this.#events.frame('step.stop', { index: step })];
  }

  #finishInteraction(): Frame[] {
    return this.#events.finish(encodeInteraction(this.#collector.response, this.#head));
  }
}
