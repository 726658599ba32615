import { msOf } from '../../base/lib/units.ts';
import { BodyCapture, type CapturedBodies } from '../../edge/http/body-capture.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { PayloadsConfig } from '../../settings/config/payloads-schema.ts';
import type { Payload, PayloadContent, PayloadStore } from './payload-store.ts';
import { RedactionThread } from './redaction-thread.ts';

/** The time within which other processes notice a change. */
const REFRESH_MS = 5_000;
const FLUSH_MS = 1_000;
/** The most contents that wait for their redaction. Further ones are dropped. */
const MAX_WAITING = 64;
/**
 * The number of contents that are written at once, and the most of them that are of batch items.
 * The other places are for requests.
 */
const MAX_OF_ITEMS = MAX_WAITING / 2;

export type PayloadLoggingParts = {
  store: PayloadStore;
  now(): number;
  config(): PayloadsConfig;
  onFailure(error: unknown): void;
  thread?: RedactionThread;
};

type Waiting = { requestId: string; accountId: string; at: number; captured: CapturedBodies };

/**
 * Keeps the content of requests of the accounts whose operator asked for it.
 * Other accounts cost one look into an empty set.
 */
export class PayloadLogging {
  /** The number of contents that were not kept. */
  dropped = 0;
  readonly #parts: PayloadLoggingParts;
  readonly #thread: RedactionThread;
  readonly #timer: Timer;
  #accounts: ReadonlySet<string> = new Set();
  #waiting: Waiting[] = [];
  #writing: Promise<void> | undefined;
  #flush: Timer | undefined;

  constructor(parts: PayloadLoggingParts) {
    this.#parts = parts;
    this.#thread = parts.thread ?? new RedactionThread();
    this.#timer = setInterval(() => void this.refresh(), REFRESH_MS);
    this.#timer.unref();
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
    exchange.capture = new BodyCapture(request, this.#mostLength, (captured) =>
      this.#take({ requestId, accountId, captured }, MAX_WAITING),
    );
  }

  /**
   * Keeps the content of an item of a batch, which has no client to copy it for.
   * A later attempt replaces an earlier one.
   */
  keepItem({ requestId, notes: { accountId } }: Exchange, request: string, answer: () => string): void {
    if (accountId === undefined || !this.isOn(accountId)) return;
    const capture = new BodyCapture(request, this.#mostLength, (captured) =>
      this.#take({ requestId, accountId, captured }, MAX_OF_ITEMS),
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

  delete(accountId: string): Promise<number> {
    this.#waiting = this.#waiting.filter((waiting) => waiting.accountId !== accountId);
    return this.#parts.store.deletePayloads(accountId);
  }

  sweep(limit: number): Promise<number> {
    const before = this.#parts.now() - msOf(this.#parts.config().kept_s);
    return this.#parts.store.sweepPayloads({ before, limit });
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    clearTimeout(this.#flush);
    // A write can begin the next one as it ends.
    while (this.#writing) await this.#writing;
    await this.#writeAll();
    this.#thread.close();
  }

  get #mostLength(): number {
    return this.#parts.config().max_kb * 1_024;
  }

  #take(ended: Omit<Waiting, 'at'>, mostWaiting: number): void {
    if (this.#waiting.length >= mostWaiting) {
      this.dropped++;
      return;
    }
    this.#waiting.push({ ...ended, at: this.#parts.now() });
    this.#writeSoon();
  }

  #writeSoon(): void {
    if (this.#waiting.length >= MAX_OF_ITEMS) this.#write();
    else if (this.#waiting.length > 0) this.#flush ??= setTimeout(() => this.#write(), FLUSH_MS);
  }

  #write(): void {
    clearTimeout(this.#flush);
    this.#flush = undefined;
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined;
      this.#writeSoon();
    });
  }

  async #writeAll(): Promise<void> {
    const taken = this.#waiting;
    this.#waiting = [];
    const payloads: Payload[] = [];
    for (const content of taken)
      if (this.isOn(content.accountId)) payloads.push(await this.#payloadOf(content));
    if (payloads.length === 0) return;
    try {
      await this.#parts.store.addPayloads(payloads, this.#parts.config().max_requests);
    } catch (error) {
      this.dropped += payloads.length;
      this.#parts.onFailure(error);
    }
  }

  async #payloadOf({ requestId, accountId, at, captured }: Waiting): Promise<Payload> {
    const { request, answer, ...cut } = captured;
    const texts = await this.#thread.redact([request, answer], this.#parts.config().redact);
    const content: PayloadContent = Array.isArray(texts)
      ? { request: texts[0]!, answer: texts[1]!, ...cut }
      : { request: '', answer: '', ...cut, withheld: `redaction_${texts}` };
    return { requestId, accountId, at, content: JSON.stringify(content) };
  }
}
