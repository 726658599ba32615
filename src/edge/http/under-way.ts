import { Refusal } from '../../base/errors/refusal.ts';
import { refusalOfError } from '../../base/errors/refusal-of-error.ts';
import type { MaybeLater } from '../../base/lib/maybe-later.ts';
import { Roster } from '../../base/lib/roster.ts';
import type { Exchange } from './exchange.ts';
import type { Reply } from './reply.ts';

type Answer = Reply | Refusal;

export const stopping = (): Refusal =>
  new Refusal('capacity_unavailable', {
    message: 'The server is shutting down; retry the request.',
    reason: 'shutdown',
  });

/**
 * Refuses a late body. The connection closes, so that the rest of the body is not read as the next request.
 */
export const tooLate = (): Refusal => new Refusal('request_timeout', { headers: { connection: 'close' } });

/** The exchanges that have no answer yet. Each can be interrupted with an answer, through one promise. */
export class UnderWay {
  readonly #exchanges = new Roster<Exchange>();
  readonly #sending = new Roster<Exchange>();
  #isStopped = false;

  /** Resolves to what `make` returns for the answer of `work`, or for an earlier interruption. */
  answerOf<T>(
    exchange: Exchange,
    work: Promise<Answer>,
    make: (answer: Answer) => MaybeLater<T>,
  ): Promise<T> {
    return new Promise((resolve, reject) => {
      const end = (answer: Answer) => {
        if (!exchange.place) return;
        this.#exchanges.leave(exchange.place);
        exchange.place = undefined;
        try {
          resolve(make(answer));
        } catch (error) {
          reject(error);
        }
      };
      exchange.place = this.#exchanges.add(exchange);
      exchange.interrupt = end;
      if (this.#isStopped) end(stopping());
      work.then(end, (error) => {
        if (exchange.place) exchange.reportFailure(error);
        end(refusalOfError(error));
      });
    });
  }

  /** Counts an exchange as open while its answer is written. Returns a function that ends this. */
  sending(exchange: Exchange): () => void {
    const place = this.#sending.add(exchange);
    return () => this.#sending.leave(place);
  }

  /** The exchanges whose answer is being made or written. */
  *open(): Iterable<Exchange> {
    yield* this.#exchanges;
    yield* this.#sending;
  }

  /**
   * Ends exchanges whose body is late. It covers bodies that are read whole, whose progress is not visible.
   */
  endLate(startedBeforeMs: number): void {
    for (const exchange of this.#exchanges) {
      // Exchanges are in order of arrival, so the rest is younger.
      if (exchange.startedAtMs > startedBeforeMs) return;
      if (!exchange.awaitsBody) continue;
      exchange.awaitsBody = false;
      exchange.interrupt?.(tooLate());
    }
  }

  /** Interrupts all of them with an answer when the server stops. */
  stop(): void {
    this.#isStopped = true;
    for (const exchange of this.#exchanges) exchange.interrupt?.(stopping());
  }
}
