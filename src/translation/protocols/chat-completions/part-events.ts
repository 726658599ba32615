import type { PartDelta, PartHead, StreamEvent } from '../../canonical/event.ts';
import { PROTOCOL } from './protocol.ts';

type Speech = 'text' | 'refusal' | 'thinking';

/**
 * Writes events in order. Numbers the parts, and ends a text, refusal or thinking
 * part when another kind begins.
 */
export class PartEvents {
  #events: StreamEvent[] = [];
  #parts = 0;
  #speech: { index: number; kind: Speech; token?: string | undefined } | undefined;
  #citations = new Set<string>();

  take(): StreamEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  push(event: StreamEvent): void {
    this.#events.push(event);
  }

  start(part: PartHead): number {
    this.push({ type: 'part-start', index: this.#parts, part });
    return this.#parts++;
  }

  delta(index: number, delta: PartDelta): void {
    this.push({ type: 'part-delta', index, delta });
  }

  end(index: number): void {
    this.push({ type: 'part-end', index });
  }

  /**
   * `token` is the name of the field that held a thought. The host expects the thought back in that field.
   */
  say(kind: Speech, text: string, token?: string): void {
    if (text === '') return;
    if (this.#speech?.kind !== kind) {
      this.endSpeech();
      const head: PartHead = kind === 'thinking' ? { kind, form: 'full' } : { kind };
      this.#speech = { index: this.start(head), kind, token };
    }
    this.delta(this.#speech!.index, { kind, text });
  }

  /**
   * Adds a citation to the current text. Some hosts repeat their sources in every chunk.
   * A citation without a text is dropped.
   */
  cite(raw: unknown, { url, title }: { url?: unknown; title?: unknown }): void {
    const key = JSON.stringify(raw);
    if (this.#speech?.kind !== 'text' || this.#citations.has(key)) return;
    this.#citations.add(key);
    this.delta(this.#speech.index, {
      kind: 'citation',
      citation: {
        issuer: PROTOCOL,
        ...(typeof url === 'string' && { url }),
        ...(typeof title === 'string' && { title }),
        raw,
      },
    });
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
