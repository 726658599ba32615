import { Refusal } from '../../base/errors/refusal.ts';
import { SingleFlight } from '../../base/lib/single-flight.ts';
import {
  type OtlpTarget,
  type RelayedSignal,
  relayedSignals,
} from '../../settings/config/telemetry-settings.ts';
import { addToJson, addToProtobuf } from './add-resource-attributes.ts';
import { OtlpSender, type Report } from './otlp-sender.ts';
import type { TelemetryMetrics, TelemetrySignal } from './telemetry-metrics.ts';

export { type RelayedSignal, relayedSignals } from '../../settings/config/telemetry-settings.ts';

/** An export of a client, with the attributes of its key. */
export type ClientExport = {
  signal: RelayedSignal;
  body: Uint8Array;
  isJson: boolean;
  attributes: Readonly<Record<string, string>>;
};

export type TelemetryRelayParts = {
  targets: Readonly<Record<RelayedSignal, OtlpTarget | null>>;
  metrics: Pick<TelemetryMetrics, 'exported' | 'dropped'>;
  report: Report;
};

type Waiting = { body: Uint8Array<ArrayBuffer>; type: string };

/** The bytes of one signal that wait. */
const MAX_WAITING = 16 * 1_024 * 1_024;

/** Hands the telemetry of clients to the operator's receiver. No client waits for it. */
export class TelemetryRelay {
  readonly #queues = new Map<RelayedSignal, RelayQueue>();
  readonly #metrics: TelemetryRelayParts['metrics'];

  constructor({ targets, metrics, report }: TelemetryRelayParts) {
    this.#metrics = metrics;
    for (const signal of relayedSignals) {
      const target = targets[signal];
      if (target) this.#queues.set(signal, new RelayQueue(`client_${signal}`, { target, metrics, report }));
    }
  }

  /** Takes an export, or refuses one that is broken. Where no receiver is known, it is dropped. */
  take({ signal, body, isJson, attributes }: ClientExport): Refusal | undefined {
    const queue = this.#queues.get(signal);
    try {
      const named = isJson
        ? new TextEncoder().encode(addToJson(new TextDecoder().decode(body), attributes))
        : addToProtobuf(body, attributes);
      if (queue) queue.add({ body: named, type: isJson ? 'application/json' : 'application/x-protobuf' });
      else this.#metrics.dropped(`client_${signal}`, 'unreachable', 1);
      return undefined;
    } catch (error) {
      if (error instanceof SyntaxError) return new Refusal('invalid_json');
      if (!(error instanceof RangeError)) throw error;
      return new Refusal('invalid_request', { message: 'The body is not a protobuf message.' });
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#queues.values()].map((queue) => queue.close()));
  }
}

type QueueParts = { target: OtlpTarget } & Pick<TelemetryRelayParts, 'metrics' | 'report'>;

/** The longest time that a stopping server waits for a receiver. */
const LAST_EXPORT_MS = 3_000;

/** The exports of one signal, sent one at a time. */
class RelayQueue {
  readonly #signal: TelemetrySignal;
  readonly #sender: OtlpSender;
  readonly #metrics: TelemetryRelayParts['metrics'];
  readonly #sending = new SingleFlight();
  readonly #waiting: Waiting[] = [];
  #bytes = 0;

  constructor(signal: TelemetrySignal, { target, metrics, report }: QueueParts) {
    this.#signal = signal;
    this.#metrics = metrics;
    this.#sender = new OtlpSender({ signal, target, metrics, report });
  }

  add(waiting: Waiting): void {
    if (this.#bytes + waiting.body.length > MAX_WAITING) {
      this.#metrics.dropped(this.#signal, 'queue_full', 1);
      return;
    }
    this.#bytes += waiting.body.length;
    this.#waiting.push(waiting);
    this.#start();
  }

  #start(): void {
    // An item that was added while the work ended is sent by another call.
    void this.#sending.run(() => this.#run()).then(() => this.#waiting.length > 0 && this.#start());
  }

  async close(): Promise<void> {
    this.#sender.close();
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, LAST_EXPORT_MS);
    await Promise.race([this.#sending.ended(), late]);
    clearTimeout(timer);
  }

  async #run(): Promise<void> {
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
      await this.#sender.send(next.body, 1, next.type);
      this.#bytes -= next.body.length;
    }
  }
}
