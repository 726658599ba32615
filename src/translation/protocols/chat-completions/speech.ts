import { present } from '../../../base/json/present.ts';
import { textOf } from '../../../base/json/read-json.ts';
import type { DecodedEvents } from '../../canonical/decoded-events.ts';
import type { PartHead } from '../../canonical/event.ts';
import type { Citation } from '../../canonical/part.ts';
import { PROTOCOL } from './protocol.ts';

type SpeechKind = 'text' | 'refusal' | 'thinking';

/** The open part. `field`: the name of the field that held a thought. */
type OpenPart = { index: number; kind: SpeechKind; field: string | undefined };

/** Writes the parts in which the model speaks. A part ends when a part of another kind begins. */
export class Speech {
  readonly #events: DecodedEvents;
  #open: OpenPart | undefined;
  #hasRefusal = false;
  /** The JSON of the sources so far. */
  readonly #sources = new Set<string>();

  constructor(events: DecodedEvents) {
    this.#events = events;
  }

  /** True if the model has refused in words. */
  get hasRefusal(): boolean {
    return this.#hasRefusal;
  }

  /**
   * Adds a text to the open part of its kind, or begins one. `field` is the name of the field that held a
   * thought. The host expects the thought back in that field.
   */
  say(kind: SpeechKind, text: string, field?: string): void {
    if (text === '') return;
    const { index } = this.#open?.kind === kind ? this.#open : this.#begin(kind, field);
    this.#hasRefusal ||= kind === 'refusal';
    this.#events.growPart(index, { kind, text });
  }

  #begin(kind: SpeechKind, field: string | undefined): OpenPart {
    this.end();
    const head: PartHead = kind === 'thinking' ? { kind, form: 'full' } : { kind };
    this.#open = { index: this.#events.beginPart(head), kind, field };
    return this.#open;
  }

  /**
   * Adds a citation to the current text. Some hosts repeat their sources in every chunk.
   * A citation without a text is dropped.
   */
  cite(raw: unknown, { url, title }: { url?: unknown; title?: unknown }): void {
    const key = JSON.stringify(raw);
    if (this.#open?.kind !== 'text' || this.#sources.has(key)) return;
    this.#sources.add(key);
    const source = present({ url: textOf(url), title: textOf(title) });
    const citation: Citation = { issuer: PROTOCOL, ...source, raw };
    this.#events.growPart(this.#open.index, { kind: 'citation', citation });
  }

  /** Ends the open part. */
  end(): void {
    if (this.#open === undefined) return;
    const { index, field } = this.#open;
    if (field !== undefined)
      this.#events.growPart(index, { kind: 'replay-token', replay: { issuer: PROTOCOL, data: field } });
    this.#events.endPart(index);
    this.#open = undefined;
  }
}
