import type { Clock } from '../../base/lib/clock.ts';
import type { ConversationStore } from './conversation-store.ts';

/**
 * A request holds its conversation this long.
 * Each renewal extends it, so that the crash of a node blocks nobody longer.
 */
const HELD_MS = 60_000;
const RENEW_EVERY_MS = 20_000;

export type HeldConversation = { id: string; keyId: string; holder: string };

/** The conversations that requests of this process hold. */
export class ConversationHolds {
  readonly #store: ConversationStore;
  readonly #clock: Clock;
  readonly #onFailure: (error: unknown) => void;
  readonly #held = new Set<HeldConversation>();
  #timer: Timer | undefined;

  constructor(parts: { store: ConversationStore; clock: Clock; onFailure: (error: unknown) => void }) {
    this.#store = parts.store;
    this.#clock = parts.clock;
    this.#onFailure = parts.onFailure;
  }

  /** Holds a conversation. Returns undefined if another request holds it, or if it does not exist. */
  async take(wanted: HeldConversation): Promise<HeldConversation | undefined> {
    if (!(await this.#renew(wanted))) return undefined;
    this.#held.add(wanted);
    this.#timer ??= setInterval(() => void this.#renewAll(), RENEW_EVERY_MS);
    this.#timer.unref();
    return wanted;
  }

  async leave(held: HeldConversation): Promise<void> {
    if (!this.#held.delete(held)) return;
    if (this.#held.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
    await this.#store.releaseConversation(held).catch(this.#onFailure); // the hold ends by itself
  }

  #renew(wanted: HeldConversation): Promise<boolean> {
    const now = this.#clock.now();
    return this.#store.holdConversation({ ...wanted, now, heldUntil: now + HELD_MS });
  }

  async #renewAll(): Promise<void> {
    for (const held of [...this.#held]) await this.#renew(held).catch(this.#onFailure);
  }
}
