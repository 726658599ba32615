import type { PlanClass } from './plan-class.ts';

/** The request behind a claim, as operators see it. */
export type ClaimOrigin = {
  requestId?: string | undefined;
  keyId?: string | undefined;
  /** The public id of the model. */
  model?: string | undefined;
};

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

type Waiting = {
  claim: ClaimOrigin & { account: string; planClass: PlanClass; providers: readonly { id: string }[] };
  since: number;
  until: number;
};

export function queuedView({ claim, since, until }: Waiting, position: number, now: number): QueuedRequest {
  const { requestId, keyId, model, account, planClass, providers } = claim;
  return {
    requestId,
    keyId,
    model,
    account,
    planClass,
    position,
    providers: providers.map(({ id }) => id),
    waitedMs: now - since,
    leftMs: Math.max(0, until - now),
  };
}
