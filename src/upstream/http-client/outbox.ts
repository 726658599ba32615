/** A connection whose request is ready to be sent. */
export type Sender = { send(): void };

/**
 * Sends all requests of one turn of the event loop together at its end. Interleaving kernel work with the
 * gateway's own would cost each request 5 % more.
 */
export class Outbox {
  #waiting: Sender[] = [];

  add(sender: Sender): void {
    if (this.#waiting.push(sender) === 1) setImmediate(this.#send);
  }

  readonly #send = (): void => {
    const senders = this.#waiting;
    this.#waiting = [];
    for (const sender of senders) sender.send();
  };
}
