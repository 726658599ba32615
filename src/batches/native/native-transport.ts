import type { Provider } from '../../settings/hosts/providers.ts';

/** A request in a provider's own batch. `body` is the JSON text of the same single request. */
export type NativeRequest = { customId: string; body: string };

/** Requests to submit together, all for one model and path. */
export type NativeOrder = {
  provider: Provider;
  path: string;
  requests: readonly NativeRequest[];
  /** Attached to the batch if the vendor has metadata. */
  mark: string;
  /** The version of the vendor's protocol. `null` means the first. */
  version: string | null;
};

/** A batch at a provider, identified by the provider's id. */
export type NativeBatch = { provider: Provider; upstreamId: string };

/** A batch as the provider lists it. */
export type ListedBatch = {
  upstreamId: string;
  /** `null` means that the batch has no mark, and `undefined` that the provider keeps no metadata. */
  mark: string | null | undefined;
  /** The number of its requests, and its age on the provider's clock. Undefined if the list lacks it. */
  size: number | undefined;
  ageMs: number | undefined;
};

/**
 * The state of a batch at a provider. `results` are the locations of the results, in the transport's own
 * terms.
 */
export type NativeState = { kind: 'running' } | { kind: 'ended'; results: readonly string[] };

/** The result of one request. `status` and `text` belong to its answer or its error. */
export type NativeResult = { customId: string } & (
  | { kind: 'answered'; text: string }
  | { kind: 'failed'; status: number; text: string }
  | { kind: 'canceled' }
  | { kind: 'expired' }
);

/** The batch API of one vendor. Failures throw a `Refusal`. */
export interface NativeTransport {
  /** The time in which the vendor lists a batch whose creation got no answer. */
  readonly settleMs: number;
  /**
   * Submits requests and returns the provider's id of the batch. Throws `LostAnswer` if the provider may have
   * it anyway.
   */
  submit(order: NativeOrder): Promise<string>;
  /** Yields the provider's batches, the latest first. */
  list(provider: Provider): AsyncGenerator<ListedBatch>;
  poll(batch: NativeBatch): Promise<NativeState>;
  /** Yields the results as they arrive. */
  results(batch: NativeBatch, results: readonly string[]): AsyncGenerator<NativeResult>;
  cancel(batch: NativeBatch): Promise<void>;
  /** Removes the batch's data at the provider as far as the vendor allows. */
  remove(batch: NativeBatch): Promise<void>;
}
