import { msOf } from '../../base/lib/units.ts';
import { BodyCapture } from '../../edge/http/body-capture.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { PayloadsConfig } from '../../settings/config/payloads-schema.ts';
import { PayloadQueue } from './payload-queue.ts';
import type { PayloadContent, PayloadStore } from './payload-store.ts';
import { RedactionThread } from './redaction-thread.ts';

/** The time within which other processes notice a change. */
const REFRESH_MS = 5_000;

export type PayloadLoggingParts = {
  store: PayloadStore;
  now(): number;
  config(): PayloadsConfig;
  onFailure(error: unknown): void;
  thread?: RedactionThread;
};

/**
 * Keeps the content of requests of the accounts for which the operator has turned it on. Other accounts cost
 * one look into an empty set.
 */
export class PayloadLogging {
  readonly #parts: PayloadLoggingParts;
  readonly #queue: PayloadQueue;
  readonly #refreshTimer: Timer;
  #accounts: ReadonlySet<string> = new Set();

  constructor(parts: PayloadLoggingParts) {
    this.#parts = parts;
    this.#queue = new PayloadQueue({
      ...parts,
      thread: parts.thread ?? new RedactionThread(),
      isOn: (accountId) => this.isOn(accountId),
    });
    this.#refreshTimer = setInterval(() => void this.refresh(), REFRESH_MS);
    this.#refreshTimer.unref();
  }

  /** The number of contents that were not kept. */
  get dropped(): number {
    return this.#queue.dropped;
  }

  isOn(accountId: string): boolean {
    return this.#accounts.size > 0 && this.#accounts.has(accountId);
  }

  /** Reads the accounts from the store. Call it before the first request. */
  async refresh(): Promise<void> {
    try {
      this.#accounts = new Set(await this.#parts.store.payloadAccounts());
    } catch (error) {
      // Without an account whose content is kept, nothing is lost.
      if (this.#accounts.size > 0) this.#parts.onFailure(error);
    }
  }

  async set(accountId: string, isOn: boolean): Promise<void> {
    await this.#parts.store.setPayloadLogging(accountId, isOn);
    await this.refresh();
  }

  /** Begins to copy an exchange of an account whose content is kept. */
  begin(exchange: Exchange, request: string): void {
    const { accountId, requestId } = exchange;
    if (accountId === undefined || !this.isOn(accountId) || exchange.capture) return;
    exchange.capture = new BodyCapture(request, this.#maxCharacters, (captured) =>
      this.#queue.add({ requestId, accountId, captured }, 'request'),
    );
  }

  /**
   * Keeps the content of an item of a batch, which has no client to copy it for. A later attempt replaces an
   * earlier one.
   */
  keepItem({ requestId, notes: { accountId } }: Exchange, request: string, answer: () => string): void {
    if (accountId === undefined || !this.isOn(accountId)) return;
    const capture = new BodyCapture(request, this.#maxCharacters, (captured) =>
      this.#queue.add({ requestId, accountId, captured }, 'item'),
    );
    capture.watch(answer());
    capture.end();
  }

  /** Returns undefined if nothing is kept, or it has expired. */
  async find(
    accountId: string,
    requestId: string,
  ): Promise<(PayloadContent & { expiresAt: number }) | undefined> {
    const payload = await this.#parts.store.findPayload(accountId, requestId);
    if (!payload) return undefined;
    const expiresAt = payload.at + msOf(this.#parts.config().kept_s);
    if (expiresAt <= this.#parts.now()) return undefined;
    return { ...(JSON.parse(payload.content) as PayloadContent), expiresAt };
  }

  /** Removes all content of an account, and returns how much the store has removed. */
  async delete(accountId: string): Promise<number> {
    await this.#queue.forget(accountId);
    return this.#parts.store.deletePayloads(accountId);
  }

  /** Removes up to `limit` expired contents, and returns how many it removed. */
  sweep(limit: number): Promise<number> {
    const before = this.#parts.now() - msOf(this.#parts.config().kept_s);
    return this.#parts.store.sweepPayloads({ before, limit });
  }

  async close(): Promise<void> {
    clearInterval(this.#refreshTimer);
    await this.#queue.close();
  }

  /** The most that is kept of each text. */
  get #maxCharacters(): number {
    return this.#parts.config().max_kb * 1_024;
  }
}
