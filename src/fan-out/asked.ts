import type { CanonicalRequest } from '../canonical/request.ts';
import type { Wire } from '../canonical/wire.ts';
import type { CatalogEntry } from '../catalog/catalog.ts';
import type { Exchange } from '../http/exchange.ts';
import type { SeveralAnswers, WireCodec } from '../protocols/codec.ts';
import type { Dialect, InferenceRequest } from '../protocols/dialect.ts';
import type { Routing } from '../routing/routing.ts';
import type { Caller } from '../routing/try-targets.ts';
import type { Settle, UsageWatch } from '../settlement/charge.ts';
import type { OpenAnswers } from '../stream/open-answers.ts';

/** An admitted request, and all that it takes to answer it. */
export type Asked = {
  exchange: Exchange;
  dialect: Dialect;
  request: InferenceRequest;
  entry: CatalogEntry;
  /** Of the answer. */
  id: string;
  wires: ReadonlyMap<Wire, WireCodec>;
  caller: Caller;
  routing: Routing;
  settle: Settle;
  watch: UsageWatch;
  open: OpenAnswers;
  /** About how many tokens the request is. */
  estimateInput(): number;
};

/** A request that was split into one for each answer. */
export type Parts = {
  asked: Asked;
  several: SeveralAnswers;
  requests: readonly CanonicalRequest[];
  /** Of all their answers, in Unix seconds. */
  createdAt: number;
  /** Aborted when the client leaves, and when the rest is called off. */
  signal: AbortSignal;
  callOff(): void;
};
