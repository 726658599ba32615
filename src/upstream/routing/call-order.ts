import type { Refusal } from '../../base/errors/refusal.ts';
import type { JsonBody } from '../../base/json/json-body.ts';
import type { MaybeLater } from '../../base/lib/maybe-later.ts';
import type { CatalogEntry } from '../../settings/catalog/catalog.ts';
import type { Target } from '../../settings/hosts/target.ts';
import type { Usage } from '../../translation/canonical/usage.ts';
import type { Carriage } from '../../translation/contract/carriage.ts';
import type { OpenCall } from '../calling/open-call.ts';
import type { UpstreamFailure } from '../calling/upstream-failure.ts';
import type { PlanClass } from '../capacity/plan-class.ts';
import type { HttpAnswer, ReaderWaits } from '../http-client/http-answer.ts';
import type { Trail } from './trail.ts';

/** The caller, as the queue sees it. */
export type Caller = { account: string; keyId?: string | undefined; planClass: PlanClass };

/** Builds the carriages of one request. */
export type CarriageBuilder = {
  /**
   * Builds the carriage to a target, or returns the reason why it cannot be built. `without`: members that
   * the target has refused.
   */
  carriageTo(target: Target, without?: string): MaybeLater<Carriage | Refusal>;
  /** Returns the word under which the request can leave a refused member out. */
  droppableWord(word: string): string | undefined;
};

/** The request for a target, and the reader of its answer. */
export type CallOrder<T> = {
  entry: CatalogEntry;
  caller: Caller;
  trail: Trail;
  /**
   * The request is one of several whose answers are joined. They share the trail, and each may leave the same
   * member out.
   */
  isPart?: true;
  body: JsonBody;
  stream: boolean;
  /** The client's waits, for a stream. */
  reader?: ReaderWaits | undefined;
  /** The signals that end the request early, if the client's leaving is not the only one. */
  endSignals?: { either: AbortSignal; calledOff: AbortSignal };
  carrier: CarriageBuilder;
  /** Reads the answer until it has validly begun. */
  receive(carriage: Carriage, answer: HttpAnswer, attempt: OpenCall): MaybeLater<T | UpstreamFailure>;
  /**
   * Ends a request whose client left while an upstream was at work and whose answer did not come in time.
   * `usage` is the upstream's last report. Without this method, a call ends as soon as its client has left.
   */
  onAbandoned?(usage: Usage | undefined): MaybeLater<void>;
  /** The call reports that its client has left, and continues for its usage. */
  onClientLeft?: () => void;
};
