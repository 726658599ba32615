import type { Clock } from '../../base/lib/clock.ts';
import type { ConversationStore } from './conversation-store.ts';

/**
 * A request holds its conversation this long. Each renewal extends it, so that the crash of a node blocks
 * nobody longer.
 */
const HELD_MS = 60_000;
const RENEW_EVERY_MS = 20_000;

/** `holder` is the request that holds the conversation. */
export type HeldConversation = { id: string; keyId: string; holder: string };

type ConversationHoldsParts = {
  store: ConversationStore;
  clock: Clock;
  /** Resolves when the settlement of the request is in the store, if it waits for that. */
  whenMoved(requestId: string): Promise<void> | undefined;
  onFailure(error: unknown): void;
};

/** The conversations that requests of this process hold. */
export class ConversationHolds {
  readonly #parts: ConversationHoldsParts;
  readonly #held = new Set<HeldConversation>();
  #timer: Timer | undefined;

  constructor(parts: ConversationHoldsParts) {
    this.#parts = parts;
  }

  /** Holds a conversation. Returns undefined if another request holds it, or if it does not exist. */
  async take(wanted: HeldConversation): Promise<HeldConversation | undefined> {
    if (!(await this.#renew(wanted))) return undefined;
    this.#held.add(wanted);
    this.#timer ??= setInterval(() => void this.#renewAll(), RENEW_EVERY_MS);
    this.#timer.unref();
    return wanted;
  }

  /**
   * Gives up a conversation. While the settlement of its request waits for the store, the request keeps the
   * conversation, since its answer is added together with the settlement.
   */
  async leave(held: HeldConversation): Promise<void> {
    const moved = this.#parts.whenMoved(held.holder);
    if (!moved) return this.#release(held);
    void moved.then(() => this.#release(held));
  }

  async #release(held: HeldConversation): Promise<void> {
    if (!this.#held.delete(held)) return;
    if (this.#held.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
    const { store, onFailure } = this.#parts;
    await store.releaseConversation(held).catch(onFailure); // the hold ends by itself
  }

  #renew(wanted: HeldConversation): Promise<boolean> {
    const { store, clock } = this.#parts;
    const now = clock.now();
    return store.holdConversation({ ...wanted, now, heldUntil: now + HELD_MS });
  }

  async #renewAll(): Promise<void> {
    for (const held of [...this.#held]) await this.#renew(held).catch(this.#parts.onFailure);
  }
}
