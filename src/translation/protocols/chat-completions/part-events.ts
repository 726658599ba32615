import { present } from '../../../base/json/present.ts';
import { textOf } from '../../../base/json/read-json.ts';
import type { PartDelta, PartHead, StreamEvent } from '../../canonical/event.ts';
import { PROTOCOL } from './protocol.ts';

type SpeechKind = 'text' | 'refusal' | 'thinking';

/** The open part of what the model says. `token`: the name of the field that held a thought. */
type Speech = { index: number; kind: SpeechKind; token: string | undefined };

/**
 * Writes events in order. Numbers the parts, and ends a text, refusal or thinking
 * part when another kind begins.
 */
export class PartEvents {
  #events: StreamEvent[] = [];
  #nextIndex = 0;
  #speech: Speech | undefined;
  #hasRefusal = false;
  /** The JSON of the sources so far. */
  readonly #citations = new Set<string>();

  /** True if the model has refused in words. */
  get hasRefusal(): boolean {
    return this.#hasRefusal;
  }

  /** Returns the events since the last call. */
  takeEvents(): StreamEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  push(event: StreamEvent): void {
    this.#events.push(event);
  }

  start(part: PartHead): number {
    const index = this.#nextIndex++;
    this.push({ type: 'part-start', index, part });
    return index;
  }

  delta(index: number, delta: PartDelta): void {
    this.push({ type: 'part-delta', index, delta });
  }

  end(index: number): void {
    this.push({ type: 'part-end', index });
  }

  /**
   * Adds a text to the open part of its kind, or begins one. `token` is the name of the field that held a
   * thought. The host expects the thought back in that field.
   */
  say(kind: SpeechKind, text: string, token?: string): void {
    if (text === '') return;
    const speech = this.#speech?.kind === kind ? this.#speech : this.#startSpeech(kind, token);
    this.#hasRefusal ||= kind === 'refusal';
    this.delta(speech.index, { kind, text });
  }

  #startSpeech(kind: SpeechKind, token: string | undefined): Speech {
    this.endSpeech();
    const head: PartHead = kind === 'thinking' ? { kind, form: 'full' } : { kind };
    this.#speech = { index: this.start(head), kind, token };
    return this.#speech;
  }

  /**
   * Adds a citation to the current text. Some hosts repeat their sources in every chunk.
   * A citation without a text is dropped.
   */
  cite(raw: unknown, { url, title }: { url?: unknown; title?: unknown }): void {
    const key = JSON.stringify(raw);
    if (this.#speech?.kind !== 'text' || this.#citations.has(key)) return;
    this.#citations.add(key);
    const source = present({ url: textOf(url), title: textOf(title) });
    this.delta(this.#speech.index, { kind: 'citation', citation: { issuer: PROTOCOL, ...source, raw } });
  }

  endSpeech(): void {
    if (this.#speech === undefined) return;
    const { index, token } = this.#speech;
    if (token !== undefined)
      this.delta(index, { kind: 'replay-token', replay: { issuer: PROTOCOL, data: token } });
    this.end(index);
    this.#speech = undefined;
  }
}
