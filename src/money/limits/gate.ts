import type { Refusal } from '../../base/errors/refusal.ts';
import type { MaybeLater } from '../../base/lib/maybe-later.ts';
import type { Hold, HoldOrder, Shortage } from '../ledger/hold.ts';
import type { LimitCount } from './limit-count.ts';
import type { LimitFigures } from './limit-figures.ts';
import type { LimitState } from './limit-state.ts';
import type { LimitedKey, LimitedRequest } from './limiter.ts';

/** The versions of the account and the key that a request was checked against. */
export type CheckedVersions = { account: number; key: number };

/** A request that needs credit and counts against limits. */
export type GateOrder = {
  credit: HoldOrder;
  /** The counts to check. Items of batches have no limits of rate and concurrency. */
  limits: LimitedRequest | undefined;
  versions: CheckedVersions;
};

/** A request that needs no credit. */
export type LimitOrder = { limits: LimitedRequest; versions: CheckedVersions };

/** Requests that call no model. `count`: a request that loads much data counts as several. */
export type GateQuestion = {
  accountId: string;
  figures: LimitFigures;
  /** The key, if it has limits of its own. */
  key?: LimitedKey | undefined;
  versions: CheckedVersions;
  count: number;
};

/**
 * A request that is not admitted.
 * `stale`: the account or the key has changed, so the caller must authenticate it again.
 */
export type GateObjection =
  | { kind: 'shortage'; shortage: Shortage }
  | { kind: 'limited'; refusal: Refusal }
  | { kind: 'stale' };

export type GateAnswer = { kind: 'admitted'; hold: Hold; count: LimitCount } | GateObjection;

/** `microcredits`: the amount that a hold would reserve now. */
export type GateForecast = { kind: 'affordable'; microcredits: number } | GateObjection;

/**
 * Decides credit and limits in one step. A request takes everything that it needs, or nothing.
 * A shortage is reported before a limit.
 */
export interface Gate {
  decide(order: GateOrder): MaybeLater<GateAnswer>;
  /** Answers as `decide` would now, and takes nothing. */
  ask(order: GateOrder): MaybeLater<GateForecast>;
  /** Counts a request that needs no credit. */
  take(order: LimitOrder): MaybeLater<LimitCount | Refusal | 'stale'>;
  /** Counts requests that call no model. */
  read(question: GateQuestion): MaybeLater<Refusal | 'stale' | undefined>;
  /**
   * Returns the figures for the response headers, as of the latest answer of the gate in this process for the
   * account.
   */
  stateOf(accountId: string, figures: LimitFigures, key?: LimitedKey): LimitState;
}
