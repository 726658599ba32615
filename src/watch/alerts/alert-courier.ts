import { retryDelayMs } from '../../base/jobs/retry-delay-ms.ts';
import type { WebhookRow } from '../../settings/config/alerts-schema.ts';
import type { Alert, AlertDelivery } from './alert.ts';
import type { AlertStore } from './alert-store.ts';
import { type DeliveryEnd, endAfterAttempt, removedByBounds, webhookRemoved } from './delivery-end.ts';
import { type Receiver, webhookIdOf } from './receiver.ts';
import type { AlertEnvelope, SentAlert } from './send-alert.ts';
import { MAX_RETRY_PAUSE_MS, type WaitingDelivery, WebhookQueue } from './webhook-queue.ts';

export type CourierParts = {
  store: Pick<AlertStore, 'saveAlertDelivery' | 'holdsAlertDelivery'>;
  webhooks(): readonly WebhookRow[];
  /** Finds a receiver of an organization by its id. */
  organizationReceiver(id: string): Receiver | undefined;
  /** Returns the name of the header with the signature. */
  header(): string;
  send(envelope: AlertEnvelope, stopped: AbortSignal): Promise<SentAlert>;
  /** The gateway's clock, in milliseconds. A test server can move it. */
  now(): number;
  /** Returns the time of signatures. Receivers compare it with their own clock. */
  signedAt(): number;
  random(): number;
  report(level: 'info' | 'warn' | 'error', event: string, fields: Record<string, unknown>): void;
  count(outcome: 'delivered' | 'failed' | 'dropped'): void;
};

/** Returns the members that every log line about a delivery has. */
const factsOf = ({ id, event }: Alert, { host }: AlertDelivery) => ({
  alert: id,
  event_name: event,
  webhook: host,
});

/** Delivers alerts in the background, each until its webhook accepts it. */
export class AlertCourier {
  readonly #parts: CourierParts;
  readonly #queues = new Map<string, WebhookQueue>();
  readonly #stop = new AbortController();
  readonly #attempts = new Set<Promise<void>>();

  constructor(parts: CourierParts) {
    this.#parts = parts;
  }

  /** The number of deliveries that wait. */
  get waiting(): number {
    let sum = 0;
    for (const { length } of this.#queues.values()) sum += length;
    return sum;
  }

  /**
   * Takes a waiting delivery, unless the courier has it already. Resolves when an attempt has ended and is
   * stored. A test ends the pause of its webhook.
   */
  take(alert: Alert, delivery: AlertDelivery): Promise<void> {
    const queue = this.#queueOf(delivery.webhook);
    const waiting = queue.find(alert.id);
    if (waiting) return waiting.attempted.promise;
    const attempted = Promise.withResolvers<void>();
    queue.add({ alert, delivery, attempted });
    if (alert.event === 'test') queue.resumesAt = 0;
    this.#startNext(queue);
    return attempted.promise;
  }

  /** Drops the deliveries of webhooks that the configuration no longer has. Call it after a reload. */
  async follow(): Promise<void> {
    for (const [webhook, queue] of this.#queues) {
      if (this.#receiverOf(webhook)) {
        queue.resumesAt = 0; // the reload may have corrected the cause
        this.#startNext(queue);
        continue;
      }
      for (const waiting of queue.all()) await this.#end(queue, waiting, webhookRemoved);
      this.#queues.delete(webhook);
    }
  }

  /** Forgets deliveries that the store has removed. */
  forget(removed: readonly AlertDelivery[]): void {
    for (const { alertId, webhook } of removed) {
      const queue = this.#queues.get(webhook);
      const waiting = queue?.find(alertId);
      if (!queue || !waiting) continue;
      this.#recordEnd(queue, waiting, removedByBounds);
      waiting.attempted.resolve();
    }
  }

  /** Starts the attempts that are due. Call it after the clock was moved. */
  look(): void {
    for (const queue of this.#queues.values()) this.#startNext(queue);
  }

  /** Ends the attempts that are under way. They are made again after the next start. */
  async close(): Promise<void> {
    this.#stop.abort();
    for (const { timer } of this.#queues.values()) clearTimeout(timer);
    await Promise.all(this.#attempts);
  }

  #receiverOf(id: string): Receiver | undefined {
    const { webhooks, organizationReceiver } = this.#parts;
    return webhooks().find((row) => webhookIdOf(row) === id) ?? organizationReceiver(id);
  }

  #queueOf(webhook: string): WebhookQueue {
    return this.#queues.getOrInsertComputed(webhook, () => new WebhookQueue());
  }

  /** Starts the next attempt at a webhook, or waits until it is due. */
  #startNext(queue: WebhookQueue): void {
    clearTimeout(queue.timer);
    if (queue.isBusy || this.#stop.signal.aborted) return;
    const now = this.#parts.now();
    const first = queue.first(now);
    if (!first) return;
    const pauseMs = queue.pauseMs(first, now);
    if (pauseMs > 0) {
      queue.timer = setTimeout(() => this.#startNext(queue), Math.min(pauseMs, MAX_RETRY_PAUSE_MS));
      queue.timer.unref();
      return;
    }
    queue.isBusy = true;
    const attempt = this.#attempt(queue, first).finally(() => {
      queue.isBusy = false;
      this.#attempts.delete(attempt);
      this.#startNext(queue);
    });
    this.#attempts.add(attempt);
  }

  async #attempt(queue: WebhookQueue, waiting: WaitingDelivery): Promise<void> {
    const { send, header, signedAt } = this.#parts;
    const { alert, delivery } = waiting;
    const webhook = this.#receiverOf(delivery.webhook);
    if (!webhook) return this.#end(queue, waiting, webhookRemoved);
    if (!(await this.#mayAttempt(delivery))) return this.#handOver(queue, waiting);
    const envelope = { webhook, body: alert.body, header: header(), now: signedAt() };
    const sent = await send(envelope, this.#stop.signal).catch(() => undefined);
    // Either the process stops, or the store has removed the alert.
    if (!sent || !queue.has(waiting)) return;
    delivery.attempts++;
    delivery.status = sent.status;
    queue.failures = sent.ok ? 0 : queue.failures + 1;
    const end = endAfterAttempt(sent, this.#parts.now() - alert.at);
    await (end ? this.#end(queue, waiting, end) : this.#postpone(queue, waiting, sent));
  }

  /** A store that is away must not delay an alert. Receivers ignore an alert that they get twice. */
  async #mayAttempt(delivery: AlertDelivery): Promise<boolean> {
    try {
      return await this.#parts.store.holdsAlertDelivery(delivery);
    } catch {
      return true;
    }
  }

  /** Leaves a delivery to another process, which has taken or ended it. */
  #handOver(queue: WebhookQueue, waiting: WaitingDelivery): void {
    queue.remove(waiting);
    waiting.attempted.resolve();
  }

  async #postpone(
    queue: WebhookQueue,
    { alert, delivery, attempted }: WaitingDelivery,
    { error, retryAfterMs }: SentAlert,
  ): Promise<void> {
    const { now, random, report, count } = this.#parts;
    const delayMs = (failures: number): number => retryDelayMs({ failures, retryAfterMs }, random);
    delivery.error = error;
    delivery.nextAt = now() + delayMs(delivery.attempts);
    queue.resumesAt = now() + delayMs(queue.failures);
    count('failed');
    if (delivery.attempts === 1)
      report('warn', 'alert-not-delivered', { ...factsOf(alert, delivery), error });
    await this.#save(delivery);
    attempted.resolve();
  }

  async #end(queue: WebhookQueue, waiting: WaitingDelivery, end: DeliveryEnd): Promise<void> {
    this.#recordEnd(queue, waiting, end);
    await this.#save(waiting.delivery);
    waiting.attempted.resolve();
  }

  #recordEnd(queue: WebhookQueue, waiting: WaitingDelivery, { state, error }: DeliveryEnd): void {
    const { alert, delivery } = waiting;
    queue.remove(waiting);
    Object.assign(delivery, { state, error, endedAt: this.#parts.now() });
    this.#parts.count(state);
    const facts = { ...factsOf(alert, delivery), attempts: delivery.attempts };
    if (state === 'delivered') this.#parts.report('info', 'alert-delivered', facts);
    else this.#parts.report('error', 'alert-dropped', { ...facts, error });
  }

  /** If the write fails, the next start sends the alert again, with the same id. */
  async #save(delivery: AlertDelivery): Promise<void> {
    await this.#parts.store
      .saveAlertDelivery({ ...delivery })
      .catch((error: unknown) => this.#parts.report('error', 'alert-not-stored', { error: String(error) }));
  }
}
