import type { Turns } from '../../base/lib/turns.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { CatalogEntry } from '../../settings/catalog/catalog.ts';
import type { CanonicalRequest } from '../../translation/canonical/request.ts';
import type { Wire } from '../../translation/canonical/wire.ts';
import type { SeveralAnswers, WireCodec } from '../../translation/protocols/codec.ts';
import type { Dialect } from '../../translation/protocols/dialect.ts';
import type { InferenceRequest } from '../../translation/protocols/inference-request.ts';
import type { Routing } from '../../upstream/routing/routing.ts';
import type { Trail } from '../../upstream/routing/trail.ts';
import type { Caller } from '../../upstream/routing/try-targets.ts';
import type { Settle, UsageWatch } from '../settlement/charge.ts';
import type { UsageEstimate } from '../settlement/usage-estimate.ts';
import type { LargeAnswers } from '../stream/large-answers.ts';
import type { OpenAnswers } from '../stream/open-answers.ts';
import type { PartUsage } from './part-usage.ts';

/** An admitted request, with everything that is needed to answer it. */
export type Asked = {
  exchange: Exchange;
  dialect: Dialect;
  request: InferenceRequest;
  entry: CatalogEntry;
  /** The id of the answer. */
  id: string;
  wires: ReadonlyMap<Wire, WireCodec>;
  caller: Caller;
  trail: Trail;
  routing: Routing;
  settle: Settle;
  watch: UsageWatch;
  open: OpenAnswers;
  largeAnswers: Pick<LargeAnswers, 'read'>;
  estimate: UsageEstimate;
  turns: Turns;
  /** A client waits for the answer and may leave. False for an item of a batch. */
  isAttended: boolean;
};

/** A request that is split into one request for each answer. */
export type Parts = {
  asked: Asked;
  several: SeveralAnswers;
  requests: readonly CanonicalRequest[];
  /** The usage of each part. */
  usages: readonly PartUsage[];
  /** The creation time of all answers, in Unix seconds. */
  createdAt: number;
  /** The signals that end the remaining parts: the client left, or the gateway called the parts off. */
  ends: { either: AbortSignal; calledOff: AbortSignal };
  callOff(): void;
};
