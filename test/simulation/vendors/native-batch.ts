import type { VendorName } from '../gateway/configuration.ts';
import type { Usage } from './vendor-answer.ts';

/** The fate of a request in a vendor's own batch. */
export type NativeOutcome = 'answered' | 'error 500' | 'error 400' | 'expired' | 'canceled';

export type NativeRequest = {
  customId: string;
  marker: string;
  outcome: NativeOutcome;
  /** The answer, as the vendor sends it. */
  body: unknown;
  /** Undefined if the answer reports none. */
  usage: Usage | undefined;
};

/** A batch at a vendor with a batch API. */
export type NativeBatch = {
  readonly id: string;
  readonly vendor: VendorName;
  readonly requests: readonly NativeRequest[];
  /** The mark of the gateway, if the vendor keeps metadata. */
  readonly metadata: unknown;
  readonly file: string | undefined;
  readonly createdAt: number;
  /** The list shows the batch from this time on. */
  readonly listedAt: number;
  endsAt: number;
  canceledAt: number | undefined;
  /** True if the gateway has asked for its state, so that the gateway's store has its id. */
  isPolled: boolean;
  /** True if its results were read. */
  isRead: boolean;
  isRemoved: boolean;
};

/** Cancels a batch and its requests that have not ended. */
export function cancelBatch(batch: NativeBatch, now: number): void {
  if (batch.canceledAt !== undefined || batch.endsAt <= now) return;
  const { createdAt, endsAt, requests } = batch;
  const done = Math.floor((requests.length * (now - createdAt)) / (endsAt - createdAt));
  batch.canceledAt = now;
  batch.endsAt = now + (endsAt - now) / 4;
  for (const request of requests.slice(done)) request.outcome = 'canceled';
}
