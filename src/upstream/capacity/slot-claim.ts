import type { PlanClass } from './plan-class.ts';

/** A provider with its slot limit. `maxConcurrent` null means no limit, so no request ever queues for it. */
export type Slotted = { readonly id: string; readonly maxConcurrent: number | null };

/** The request behind a claim, as operators see it. */
export type ClaimOrigin = {
  requestId?: string | undefined;
  keyId?: string | undefined;
  /** The public id of the model. */
  model?: string | undefined;
};

/** The claim of one request to a slot at any of several providers. */
export type SlotClaim<P extends Slotted> = ClaimOrigin & {
  account: string;
  planClass: PlanClass;
  /** The memory that the queued request holds. */
  bytes: number;
  /** The suitable providers. A slot at any of them will do. */
  providers: readonly P[];
  /** The providers of all its targets, if more than those that may serve it now. */
  candidates?: readonly P[];
  maxWaitMs: number;
  freeShare: number;
  /**
   * The time at which the request first queued, if it queued before. It then keeps its place, and a full
   * queue does not refuse it.
   */
  since?: number | undefined;
};

/** Returns the providers that may serve a claim, now or after a change. */
export const candidatesOf = <P extends Slotted>({
  candidates,
  providers,
}: Pick<SlotClaim<P>, 'candidates' | 'providers'>): readonly P[] => candidates ?? providers;

/**
 * `full`: the queue is full. `hopeless`: the predicted wait exceeds the limit. `expired`: the request waited
 * too long. `displaced`: a request of a higher class took its place.
 */
export type NoSlotReason = 'full' | 'hopeless' | 'expired' | 'displaced';

/** `changed`: the choice of providers has changed; see `reconsider()`. */
export type WaitOutcome<P extends Slotted> =
  | { kind: 'slot'; provider: P; waitedMs: number }
  | { kind: 'changed' }
  | { kind: 'no-slot'; reason: NoSlotReason; waitedMs: number; retryAfterMs: number };

/** A queued request, as operators see it. `position`: its place in the shortest of its queues, from 1. */
export type QueuedRequest = ClaimOrigin & {
  account: string;
  planClass: PlanClass;
  providers: readonly string[];
  position: number;
  waitedMs: number;
  /** The time that is left until the request is refused. */
  leftMs: number;
};

/** A queued request. `leave()` removes it at once, and its callback is not called afterwards. */
export type Waiter = { leave(): void };
