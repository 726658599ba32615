import type { SimulatorEvent } from '../../../src/simulator/model/stream-event.ts';
import type { CallRecord } from './call-record.ts';

type CallFacts = Omit<CallRecord, 'ending' | 'isAllSent' | 'headAt' | 'endedAt' | 'produced'>;

/** One call under way. It records the output, and ends once. */
export class UpstreamCall {
  readonly #known: CallFacts;
  readonly #ended: (record: CallRecord) => void;
  readonly #produced: [at: number, tokens: number][] = [];
  #tokens = 0;
  /** The tokens of the events that were taken. */
  #sent = 0;
  #headAt: number | undefined;
  #isOpen = true;

  constructor(known: CallFacts, signal: AbortSignal, ended: (record: CallRecord) => void) {
    this.#known = known;
    this.#ended = ended;
    signal.addEventListener('abort', () => this.end('closed'), { once: true });
    if (signal.aborted) this.end('closed');
  }

  /** Sends the head: with a complete whole answer, or after the hidden part of a stream. */
  begin(): void {
    this.#headAt = Date.now();
    const { isStream, hidden, usage } = this.#known;
    this.produce(isStream ? hidden : usage.output);
  }

  produce(tokens: number): void {
    if (!this.#isOpen || tokens === 0) return;
    this.#tokens += tokens;
    this.#produced.push([Date.now(), this.#tokens]);
  }

  /**
   * Yields the events as they are read.
   * The answer is complete after the last one, unless a fault ends it earlier.
   */
  *watch(events: readonly SimulatorEvent[]): Iterable<SimulatorEvent> {
    for (const event of events) {
      this.#sent += event.tokens;
      yield event;
      this.produce(event.tokens);
    }
    this.end('complete');
  }

  end(ending: CallRecord['ending']): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    const endedAt = Date.now();
    const { isStream, hidden, usage } = this.#known;
    const isAllSent = ending === 'complete' || (isStream && hidden + this.#sent >= usage.output);
    this.#ended({
      ...this.#known,
      ending,
      isAllSent,
      headAt: this.#headAt,
      endedAt,
      produced: this.#produced,
    });
  }
}
