import type { Exchange } from '../../edge/http/exchange.ts';
import type { CatalogEntry } from '../../settings/catalog/catalog.ts';
import type { Estimator } from '../../translation/canonical/estimator.ts';
import type { Dialect } from '../../translation/contract/dialect.ts';
import type { InferenceRequest } from '../../translation/contract/inference-request.ts';
import type { LearnedRefusals } from '../../upstream/routing/learned-refusals.ts';
import type { Services } from '../request/services.ts';
import type { VendorIds } from '../responses/vendor-ids.ts';

/** A request that is to be carried to targets. */
export type CarriedRequest = {
  readonly exchange: Exchange;
  readonly dialect: Dialect;
  readonly request: InferenceRequest;
  readonly entry: CatalogEntry;
  /** The id of the answer. */
  readonly id: string;
  readonly estimate: Estimator;
  readonly services: Pick<Services, 'wires' | 'yieldQueue' | 'recapKey'>;
  /** Undefined for an item of a batch that its provider runs, which can refer to no answer. */
  readonly vendorIds: VendorIds | undefined;
  /** The refusals that the gateway has learned from targets. */
  readonly learned: Pick<LearnedRefusals, 'of' | 'used'> | undefined;
};

/** Reports whether the client wants the whole request to be served, or a refusal. */
export const isStrict = ({ exchange: { request, snapshot } }: Pick<CarriedRequest, 'exchange'>): boolean =>
  request.headers.get(snapshot.names.header.strict)?.toLowerCase() === 'true';
