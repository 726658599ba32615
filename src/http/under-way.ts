import { Refusal } from '../errors/refusal.ts';
import { Roster } from '../lib/roster.ts';
import type { Exchange } from './exchange.ts';
import type { Reply } from './reply.ts';

type Answer = Reply | Refusal;

export const stopping = (): Refusal =>
  new Refusal('capacity_unavailable', { message: 'The server is stopping: send the request again.' });

/** Exchanges whose answer is being made. One promise for each serves all who may have to end it early. */
export class UnderWay {
  readonly #exchanges = new Roster<Exchange>();
  #isStopped = false;

  /** What comes of the work, unless the exchange is interrupted before. */
  answerOf(exchange: Exchange, work: Promise<Answer>): Promise<Answer> {
    return new Promise((resolve, reject) => {
      exchange.interrupt = resolve;
      if (this.#isStopped) resolve(stopping());
      else exchange.place = this.#exchanges.add(exchange);
      work.then(resolve, reject);
    });
  }

  leave(exchange: Exchange): void {
    if (exchange.place) this.#exchanges.leave(exchange.place);
  }

  /** None of them ends without a word when the server stops. */
  stop(): void {
    this.#isStopped = true;
    for (const exchange of this.#exchanges) exchange.interrupt?.(stopping());
  }
}
