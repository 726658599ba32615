import type { Exchange } from '../../edge/http/exchange.ts';
import type { ExtraRates } from '../../money/ledger/extra-rates.ts';
import type { CatalogEntry } from '../../settings/catalog/catalog.ts';
import type { Dialect } from '../../translation/contract/dialect.ts';
import type { InferenceRequest } from '../../translation/contract/inference-request.ts';
import type { VendorRunTool } from '../../translation/members/inspection.ts';
import type { CallUsage } from './most-usage.ts';
import type { RateChoices } from './rate-choices.ts';

/** The most that one call can cost. `fee`: millionths of a micro-credit. */
export type HostedCall = CallUsage & {
  fee: number;
  /** The model that the call consults, with the tokens that it writes. */
  advisor: { rates: RateChoices; output: number } | undefined;
};

/** Hosted tools that share one limit on their calls. */
export type HostedGroup = {
  /** The name under which the limit is granted. */
  key: string;
  tools: readonly VendorRunTool[];
  /** The member that limits the calls. Undefined if the vendor has no such member. */
  limit: 'max_uses' | 'max_tool_calls' | undefined;
  /** The member that limits the tokens of a call. */
  tokenLimit: 'max_content_tokens' | undefined;
  /** The calls that the request allows, or the default. */
  calls: number;
  call: HostedCall;
  /** The request is refused if not even one call is affordable. */
  isNeeded: boolean;
};

/** The most that one group may use. The tools of a group without calls are removed. */
export type Grant = { calls: number; tokens: number };

/** A request with hosted tools, and the prices of their calls. */
export type HostedQuestion = {
  exchange: Pick<Exchange, 'snapshot'>;
  entry: CatalogEntry;
  /** The models for which the amount is held. */
  servers: readonly CatalogEntry[];
  dialect: Pick<Dialect, 'wire' | 'inspect'>;
  request: Pick<InferenceRequest, 'body' | 'runsTools' | 'extras'>;
  /** The prices of calls. */
  extras: ExtraRates;
  rates: RateChoices;
  ratesOf(entry: CatalogEntry): RateChoices;
};
