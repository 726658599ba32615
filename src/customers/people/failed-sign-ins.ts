import { SingleFlight } from '../../base/lib/single-flight.ts';
import { HOUR_MS } from '../../base/lib/units.ts';
import type { Accounts } from '../../money/accounts/accounts.ts';
import { JOINED_MS } from '../../money/accounts/joined-changes.ts';

/**
 * A failed sign-in. `email` is the entered address. The audit log names a person only if the address is
 * known.
 */
export type FailedSignIn = { by: string; network: string; email?: string | undefined; personId?: string };

export type FailedSignInsParts = {
  accounts: Pick<Accounts, 'recordRepeated'>;
  /** Returns the id of the person with this address. */
  personWith(email: string): Promise<string | undefined>;
  now(): number;
  /** The log calls it if the store does not take an entry. */
  onFailure(error: unknown): void;
};

/** Stands for a person or a network that an entry does not name. */
const UNKNOWN = 'unknown';
/**
 * Entries that a process begins in an hour. Further failures share one entry, so that a flood does not fill
 * the audit log.
 */
const MAX_ENTRIES = { known: 240, unknown: 60 } as const;
/** Different failures that wait for the store. */
const MAX_WAITING = 1_000;

type RepeatedFailure = { failure: FailedSignIn; times: number };

/**
 * Writes failed sign-ins to the audit log. The entry is written after the answer, whose time would otherwise
 * reveal whether an address is known. What was entered is in no entry, since people also enter passwords in
 * the wrong field.
 */
export class FailedSignIns {
  readonly #parts: FailedSignInsParts;
  readonly #waiting = new Map<string, RepeatedFailure>();
  /** The times at which the open entries began, by what they count. */
  readonly #open = new Map<string, number>();
  #entriesBegun = { known: 0, unknown: 0 };
  #hourFrom = Number.NEGATIVE_INFINITY;
  readonly #writing = new SingleFlight();

  constructor(parts: FailedSignInsParts) {
    this.#parts = parts;
  }

  add(failure: FailedSignIn): void {
    const { by, network, email, personId } = failure;
    const ownName = JSON.stringify([by, network, email?.toLowerCase(), personId]);
    const hasSpace = this.#waiting.has(ownName) || this.#waiting.size < MAX_WAITING;
    const name = hasSpace ? ownName : UNKNOWN;
    const waiting = this.#waiting.get(name);
    if (waiting) waiting.times++;
    else this.#waiting.set(name, { failure: hasSpace ? failure : { by, network: UNKNOWN }, times: 1 });
    this.#start();
  }

  /** Resolves when all failures are in the store. */
  async settle(): Promise<void> {
    await this.#writing.ended();
  }

  #start(): void {
    // A failure that was added while the work ended is written by another call.
    void this.#writing.run(() => this.#writeAll()).then(() => this.#waiting.size > 0 && this.#start());
  }

  async #writeAll(): Promise<void> {
    // The loop also takes what is added while it writes.
    for (const [name, { failure, times }] of this.#waiting) {
      this.#waiting.delete(name);
      try {
        await this.#write(failure, times);
      } catch (error) {
        this.#parts.onFailure(error);
      }
    }
  }

  async #write({ by, network, email, personId }: FailedSignIn, times: number): Promise<void> {
    const person = personId ?? (email === undefined ? undefined : await this.#parts.personWith(email));
    const target = person ?? UNKNOWN;
    const hasSpace = this.#hasSpace(JSON.stringify([by, network, target]), person ? 'known' : 'unknown');
    await this.#parts.accounts.recordRepeated({
      actor: UNKNOWN,
      action: 'sign-in-failed',
      target: hasSpace ? target : UNKNOWN,
      times,
      details: { by, network: hasSpace ? network : UNKNOWN },
    });
  }

  /** Reports whether an entry is open, or another one may begin. */
  #hasSpace(name: string, kind: keyof typeof MAX_ENTRIES): boolean {
    const now = this.#parts.now();
    if (now - (this.#open.get(name) ?? Number.NEGATIVE_INFINITY) < JOINED_MS) return true;
    if (now - this.#hourFrom >= HOUR_MS) {
      this.#hourFrom = now;
      this.#open.clear();
      this.#entriesBegun = { known: 0, unknown: 0 };
    }
    if (this.#entriesBegun[kind] >= MAX_ENTRIES[kind]) return false;
    this.#entriesBegun[kind]++;
    this.#open.set(name, now);
    return true;
  }
}
