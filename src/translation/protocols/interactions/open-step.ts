import { compactJson } from '../../../base/json/compact-json.ts';
import { listOf, objectOf, textOf } from '../../../base/json/read-json.ts';
import { sliceJson } from '../../../base/json/slice-json.ts';
import type { Fields } from '../../../base/schema/json-type.ts';
import type { DecodedEvents } from '../../canonical/decoded-events.ts';
import type { PartDelta, PartHead } from '../../canonical/event.ts';
import { citationOf } from './citation-of.ts';

/** The types of steps of the request, which some answers repeat. */
const REQUEST_STEPS: ReadonlySet<unknown> = new Set(['user_input', 'function_result']);

/** Decodes one step of a stream. Its part begins once the step has something to say. */
export class OpenStep {
  readonly #events: DecodedEvents;
  readonly #type: string;
  #part: { index: number; kind: PartHead['kind'] } | undefined;
  /** The arguments that came with the beginning of a call. Pieces that follow replace them. */
  #firstArguments: string | undefined;
  /** A step that no other vendor understands, with what its deltas have added. */
  #opaque: Fields | undefined;

  /** `event`: the text of the event that begins the step. */
  constructor(step: Fields, event: string, events: DecodedEvents) {
    this.#events = events;
    this.#type = textOf(step.type) ?? '';
    if (this.#type === 'model_output') {
      for (const content of listOf(step.content)) this.#addContent(objectOf(content));
    } else if (this.#type === 'thought') this.#addThought(step);
    else if (this.isCall) this.#beginCall(step, event);
    else if (!REQUEST_STEPS.has(this.#type)) this.#opaque = step;
  }

  get isCall(): boolean {
    return this.#type === 'function_call';
  }

  grow(delta: Fields): void {
    if (REQUEST_STEPS.has(this.#type)) return;
    const { type, ...members } = delta;
    if (this.#opaque) this.#opaque = { ...this.#opaque, ...members };
    else if (type === 'thought_summary') this.#addThought({ summary: [members.content] });
    else if (type === 'thought_signature') this.#addThought(members);
    else if (type === 'arguments_delta') this.#addArguments(textOf(members.arguments) ?? '');
    else if (type === 'text_annotation_delta') this.#cite(members.annotations);
    else if (this.#type === 'model_output') this.#addContent(delta);
  }

  end(): void {
    if (this.#opaque) this.#addOpaque(this.#opaque);
    else this.#endPart();
  }

  /** Adds a content of the model's. Content other than text stays as it is. */
  #addContent(content: Fields): void {
    const text = textOf(content.text);
    if (content.type !== 'text' || text === undefined) {
      this.#endPart();
      this.#addOpaque({ type: 'model_output', content: [content] });
      return;
    }
    if (text === '') return;
    this.#add({ kind: 'text' }, { kind: 'text', text });
    this.#cite(content.annotations);
  }

  #cite(annotations: unknown): void {
    const part = this.#part;
    if (part?.kind !== 'text') return;
    for (const annotation of listOf(annotations).map(objectOf))
      this.#events.growPart(part.index, { kind: 'citation', citation: citationOf(annotation) });
  }

  #addThought({ summary, signature }: Fields): void {
    for (const item of listOf(summary)) {
      const text = textOf(objectOf(item).text) ?? '';
      if (text !== '') this.#add({ kind: 'thinking', form: 'summary' }, { kind: 'thinking', text });
    }
    const data = textOf(signature) ?? '';
    if (data === '') return;
    const replay = { issuer: 'interactions' as const, data };
    this.#add({ kind: 'thinking', form: 'summary' }, { kind: 'replay-token', replay });
  }

  #beginCall({ id, name, arguments: parsed }: Fields, event: string): void {
    this.#begin({ kind: 'tool-call', callId: textOf(id) ?? '', name: textOf(name) ?? '', inputKind: 'json' });
    this.#firstArguments = argumentsText(event, parsed);
  }

  #addArguments(text: string): void {
    if (this.#part?.kind !== 'tool-call') return;
    this.#firstArguments = undefined;
    this.#events.growPart(this.#part.index, { kind: 'tool-input', text });
  }

  #begin(head: PartHead): number {
    this.#part ??= { index: this.#events.beginPart(head), kind: head.kind };
    return this.#part.index;
  }

  /** Adds a delta to the part, which begins here if it has not yet. */
  #add(head: PartHead, delta: PartDelta): void {
    this.#events.growPart(this.#begin(head), delta);
  }

  #endPart(): void {
    if (this.#part === undefined) return;
    const { index } = this.#part;
    if (this.#firstArguments !== undefined)
      this.#events.growPart(index, { kind: 'tool-input', text: this.#firstArguments });
    this.#part = undefined;
    this.#events.endPart(index);
  }

  #addOpaque(block: Fields): void {
    this.#events.addPart({ kind: 'opaque', issuer: 'interactions', block });
  }
}

/**
 * Returns the arguments of an event's step as the vendor wrote them, since parsing would round large numbers.
 */
function argumentsText(event: string, parsed: unknown): string {
  const sent = sliceJson(event, ['step', 'arguments']);
  return sent?.startsWith('{') ? compactJson(sent) : JSON.stringify(objectOf(parsed));
}
