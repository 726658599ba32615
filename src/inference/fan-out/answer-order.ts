import type { Turns } from '../../base/lib/turns.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { CatalogEntry } from '../../settings/catalog/catalog.ts';
import type { Wire } from '../../translation/canonical/wire.ts';
import type { WireCodec } from '../../translation/contract/codec.ts';
import type { Dialect } from '../../translation/contract/dialect.ts';
import type { InferenceRequest } from '../../translation/contract/inference-request.ts';
import type { LearnedRefusals } from '../../upstream/routing/learned-refusals.ts';
import type { Routing } from '../../upstream/routing/routing.ts';
import type { Trail } from '../../upstream/routing/trail.ts';
import type { Caller } from '../../upstream/routing/try-targets.ts';
import type { Settle } from '../settlement/billable-answer.ts';
import type { UsageEstimate } from '../settlement/usage-estimate.ts';
import type { UsageWatch } from '../settlement/usage-watch.ts';
import type { LargeAnswers } from '../stream/large-answers.ts';
import type { OpenAnswers } from '../stream/open-answers.ts';
import type { ReaderPace } from '../stream/reader-pace.ts';
import type { VendorIds } from '../stream/vendor-ids.ts';

/** A request with an open tab, and everything that is needed to answer it. */
export type AnswerOrder = {
  exchange: Exchange;
  dialect: Dialect;
  request: InferenceRequest;
  entry: CatalogEntry;
  /** The id of the answer. */
  id: string;
  wires: ReadonlyMap<Wire, WireCodec>;
  vendorIds: VendorIds;
  learned: LearnedRefusals | undefined;
  caller: Caller;
  trail: Trail;
  routing: Routing;
  settle: Settle;
  watch: UsageWatch;
  open: OpenAnswers;
  largeAnswers: Pick<LargeAnswers, 'read'>;
  estimate: UsageEstimate;
  turns: Turns;
  /** The pace of the client. Only streams depend on it. */
  pace: ReaderPace;
  /** A client waits for the answer and may leave. False for an item of a batch. */
  isAttended: boolean;
};
