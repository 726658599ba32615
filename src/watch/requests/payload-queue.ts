import { redactCutEnd } from '../../base/lib/redact-text.ts';
import type { CapturedBodies } from '../../edge/http/body-capture.ts';
import type { PayloadsConfig } from '../../settings/config/payloads-schema.ts';
import type { Payload, PayloadContent, PayloadStore } from './payload-store.ts';
import type { RedactionThread } from './redaction-thread.ts';

const FLUSH_MS = 1_000;

/**
 * The most contents that wait. Further ones are dropped. The smaller bound of items leaves room for requests.
 */
const MAX_WAITING = { request: 64, item: 32 } as const;
/** This many contents are written at once. Fewer are written after a while. */
const FULL_WRITE = 32;

/** The content of a request that has ended. */
export type EndedContent = { requestId: string; accountId: string; captured: CapturedBodies };

type WaitingContent = EndedContent & { at: number };

export type PayloadQueueParts = {
  store: Pick<PayloadStore, 'addPayloads'>;
  now(): number;
  config(): PayloadsConfig;
  /** Reports whether the content of an account is kept. An operator can turn it off while content waits. */
  isOn(accountId: string): boolean;
  onFailure(error: unknown): void;
  thread: RedactionThread;
};

/** Redacts and writes the contents of requests in the background. */
export class PayloadQueue {
  /** The number of contents that were not written. */
  dropped = 0;
  readonly #parts: PayloadQueueParts;
  #waiting: WaitingContent[] = [];
  #writing: Promise<void> | undefined;
  #flushTimer: Timer | undefined;

  constructor(parts: PayloadQueueParts) {
    this.#parts = parts;
  }

  /** Adds the content of a request, or of an item of a batch. */
  add(content: EndedContent, kind: keyof typeof MAX_WAITING): void {
    if (this.#waiting.length >= MAX_WAITING[kind]) {
      this.dropped++;
      return;
    }
    this.#waiting.push({ ...content, at: this.#parts.now() });
    this.#writeWhenDue();
  }

  /** Forgets the content of an account that waits. Resolves when none is being written. */
  async forget(accountId: string): Promise<void> {
    this.#waiting = this.#waiting.filter((waiting) => waiting.accountId !== accountId);
    await this.#writing;
  }

  /** Writes all that waits. */
  async close(): Promise<void> {
    clearTimeout(this.#flushTimer);
    // A write can begin the next one as it ends.
    while (this.#writing) await this.#writing;
    await this.#writeAll();
    this.#parts.thread.close();
  }

  #writeWhenDue(): void {
    if (this.#waiting.length >= FULL_WRITE) this.#write();
    else if (this.#waiting.length > 0) this.#flushTimer ??= setTimeout(() => this.#write(), FLUSH_MS);
  }

  #write(): void {
    clearTimeout(this.#flushTimer);
    this.#flushTimer = undefined;
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined;
      this.#writeWhenDue();
    });
  }

  async #writeAll(): Promise<void> {
    const { store, config, isOn, onFailure } = this.#parts;
    const contents = this.#waiting;
    this.#waiting = [];
    const payloads: Payload[] = [];
    for (const content of contents)
      if (isOn(content.accountId)) payloads.push(await this.#payloadOf(content));
    if (payloads.length === 0) return;
    try {
      await store.addPayloads(payloads, config().max_requests);
    } catch (error) {
      this.dropped += payloads.length;
      onFailure(error);
    }
  }

  async #payloadOf({ requestId, accountId, at, captured }: WaitingContent): Promise<Payload> {
    const { request, answer, ...cuts } = captured;
    const { thread, config } = this.#parts;
    const texts = [
      cuts.isRequestCut ? redactCutEnd(request) : request,
      cuts.isAnswerCut ? redactCutEnd(answer) : answer,
    ];
    const redacted = await thread.redact(texts, config().redact);
    const content: PayloadContent = Array.isArray(redacted)
      ? { request: redacted[0]!, answer: redacted[1]!, ...cuts }
      : { request: '', answer: '', ...cuts, withheld: `redaction_${redacted}` };
    return { requestId, accountId, at, content: JSON.stringify(content) };
  }
}
