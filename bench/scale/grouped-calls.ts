import type { DatabaseModel, StatementKind } from './database-model.ts';
import type { EventQueue } from './event-queue.ts';

export const MAX_GROUP = 64;

type Call = { account: number; done: () => void };

type GroupParts = { events: EventQueue; database: DatabaseModel; kind: StatementKind; roundTripMs: number };

/**
 * The grouped statements of one node to one database: the first call leaves at once, later ones leave
 * together.
 */
export class GroupedCalls {
  readonly #parts: GroupParts;
  #waiting: Call[] = [];
  #isOut = false;

  constructor(parts: GroupParts) {
    this.#parts = parts;
  }

  call(account: number, done: () => void): void {
    this.#waiting.push({ account, done });
    if (!this.#isOut) this.#send();
  }

  #send(): void {
    const { events, database, kind, roundTripMs } = this.#parts;
    const group = this.#waiting.splice(0, MAX_GROUP);
    this.#isOut = true;
    const answer = () =>
      events.after(roundTripMs / 2, () => {
        this.#isOut = false;
        if (this.#waiting.length > 0) this.#send();
        for (const { done } of group) done();
      });
    const accounts = group.map(({ account }) => account);
    events.after(roundTripMs / 2, () => database.run({ kind, accounts, done: answer }));
  }
}
