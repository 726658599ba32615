import type { HoldOrder } from '../../../money/ledger/hold.ts';
import type { CheckedVersions } from '../../../money/limits/gate.ts';
import type { LimitedRequest } from '../../../money/limits/limiter.ts';

/** The amounts that an operation gives back when its request ends. */
export type GateReturn = {
  /** The time at which the request was counted, by the database's clock. */
  takenAt: number;
  /** True if the request no longer counts against the concurrency limits. */
  endsConcurrency: boolean;
  /** The actual number of tokens. The estimate stays if it is undefined. */
  tokens: number | undefined;
  /** True if the windows of requests no longer count the request. */
  isUncounted: boolean;
};

/** Takes credit and counts a request. An `ask` makes the same decision without taking anything. */
type GateAdmission = {
  kind: 'admit' | 'ask';
  credit: HoldOrder | undefined;
  limits: LimitedRequest | undefined;
  /** The versions that the node has checked. The database compares none if they are undefined. */
  versions: CheckedVersions | undefined;
  returns?: undefined;
};

/** Counts reads of the API. */
type GateRead = {
  kind: 'read';
  credit?: undefined;
  limits: LimitedRequest;
  versions: CheckedVersions;
  returns?: undefined;
};

/** Ends the count of a request. */
type GateRelease = {
  kind: 'release';
  credit?: undefined;
  limits: LimitedRequest | undefined;
  versions?: undefined;
  returns: GateReturn;
};

/** Ends a hold, and the count of its request. A closed node has returned the count already. */
type GateVoid = {
  kind: 'void';
  credit: HoldOrder;
  limits: LimitedRequest | undefined;
  versions?: undefined;
  returns: GateReturn | undefined;
};

/** An operation of the gate. Releases and voids give back what an admission took. */
export type GateOp = GateAdmission | GateRead | GateRelease | GateVoid;
