import type { RefusalFacts } from '../../base/errors/refusal-facts.ts';
import type { RefusalReason } from '../../base/errors/refusal-reason.ts';
import type { Usage } from '../../translation/canonical/usage.ts';
import type { AttemptRecord } from './attempt-record.ts';

/**
 * Notes of a request for its log line, the metrics and the trace. Nothing else reads them. They are a class,
 * so that all of them share one shape.
 */
export class ExchangeNotes {
  status?: number;
  accountId?: string;
  keyId?: string;
  keyName?: string | null;
  /** The model's name as the client sent it. */
  model?: string;
  /** The public id of the requested model. */
  modelId?: string;
  servedModel?: string;
  /** The end user that the request names, or `null` without one. Undefined until the body is read. */
  endUser?: string | null;
  /** The tags of the request and of its key. */
  tags?: readonly string[];
  provider?: string;
  /** True if the simulator stands in for the provider. */
  simulated?: boolean;
  stream?: boolean;
  inputTokens?: number;
  outputTokens?: number;
  /** The settled usage, with the parts of both counts. */
  usage?: Usage;
  /** True if the upstream did not count the tokens. */
  usageEstimated?: boolean;
  errorCode?: string;
  /** The message of the error that the client received. */
  errorMessage?: string;
  /** The path of the field that a refusal named. */
  errorParam?: string;
  /** The figures behind a refusal. */
  refusalFacts?: RefusalFacts;
  /** The resource that the server lacked for the request. */
  refusalReason?: RefusalReason;
  /** The address of the client, behind trusted proxies too. */
  clientAddress?: string;
  firstByteMs?: number;
  /** The time from the arrival of the request to the first part of a streamed answer. */
  firstTokenMs?: number;
  /** The cost of the request at its rates, once it is settled. */
  costMicrocredits?: number;
  /** The charge, if it differs from the cost. */
  chargedMicrocredits?: number | undefined;
  /** The cost at the rates of a substitute that answered. */
  servedCostMicrocredits?: number;
  attempts?: number;
  /** The id of the earlier request whose recorded answer the client received. */
  replayOf?: string;
  /** The calls to providers. The list grows while the request runs. */
  calls?: readonly AttemptRecord[];
  /** The reasons of failed attempts, by provider. Only the log shows them. */
  failures?: readonly string[];
  /** The time that the request queued for capacity. */
  queueMs?: number;
  /** Parts of the request that cost more than is billed, and were allowed. */
  unbilled?: readonly string[];
  /** Dimensions of the upstream's usage report that have no price. */
  unpricedUsage?: readonly string[];
  /** Types in the request and in the upstream's answer that no vendor's client knows, with their places. */
  unknownTypes?: readonly string[];
  /** Parts of the request that the answering target did not get. */
  losses?: { dialect: string; wire: string; codes: readonly string[] } | undefined;
}
