import { Refusal } from '../../base/errors/refusal.ts';
import {
  type OtlpTarget,
  type RelayedSignal,
  relayedSignals,
} from '../../settings/config/telemetry-settings.ts';
import { addToJson, addToProtobuf } from './add-resource-attributes.ts';
import type { Report } from './otlp-sender.ts';
import { RelayQueue } from './relay-queue.ts';
import type { TelemetryMetrics } from './telemetry-metrics.ts';

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
      const bytes = isJson
        ? new TextEncoder().encode(addToJson(new TextDecoder().decode(body), attributes))
        : addToProtobuf(body, attributes);
      if (queue) queue.add({ body: bytes, type: isJson ? 'application/json' : 'application/x-protobuf' });
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
