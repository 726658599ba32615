import { Refusal } from '../../base/errors/refusal.ts';
import { refusalOfError } from '../../base/errors/refusal-of-error.ts';
import { Roster } from '../../base/lib/roster.ts';
import type { Exchange } from './exchange.ts';
import type { Reply } from './reply.ts';

type Answer = Reply | Refusal;

export const stopping = (): Refusal =>
  new Refusal('capacity_unavailable', { message: 'The server is stopping: send the request again.' });

/** What is left of the body must not be taken for the next request. */
export const tooLate = (): Refusal => new Refusal('request_timeout', { headers: { connection: 'close' } });

/** Exchanges whose answer is being made. One promise for each serves all who may have to end it early. */
export class UnderWay {
  readonly #exchanges = new Roster<Exchange>();
  readonly #sending = new Roster<Exchange>();
  #isStopped = false;

  /** What `make` makes of the answer that comes of the work, unless the exchange is interrupted with another before. */
  answerOf<T>(exchange: Exchange, work: Promise<Answer>, make: (answer: Answer) => T): Promise<T> {
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
        if (exchange.place) exchange.failed(error);
        end(refusalOfError(error));
      });
    });
  }

  /** Counts an exchange as open while its answer is written. Returns how to end that. */
  sending(exchange: Exchange): () => void {
    const place = this.#sending.add(exchange);
    return () => this.#sending.leave(place);
  }

  /** Exchanges whose answer is being made or written. */
  *open(): Iterable<Exchange> {
    yield* this.#exchanges;
    yield* this.#sending;
  }

  /** Of a body that is read whole nobody sees how far it is: when it is late its exchange ends. */
  endLate(startedBeforeMs: number): void {
    for (const exchange of this.#exchanges) {
      if (exchange.startedAtMs > startedBeforeMs) return; // in the order in which they came: the rest is younger
      if (!exchange.awaitsBody) continue;
      exchange.awaitsBody = false;
      exchange.interrupt?.(tooLate());
    }
  }

  /** None of them ends without a word when the server stops. */
  stop(): void {
    this.#isStopped = true;
    for (const exchange of this.#exchanges) exchange.interrupt?.(stopping());
  }
}
