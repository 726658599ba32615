import type { RefusalFacts } from '../../base/errors/refusal-facts.ts';
import type { RefusalReason } from '../../base/errors/refusal-reason.ts';
import type { UpstreamError } from '../../base/errors/upstream-error.ts';
import type { RequestSource } from './request-source.ts';

/**
 * One call of a request to a provider, in the record. `after`: milliseconds from the start of the request.
 */
export type RecordedCall = {
  provider: string;
  model: string;
  after: number;
  ms: number | null;
  status: number | null;
  error?: UpstreamError;
};

/**
 * The record of a request, as it is stored: the members of its log line and some more. Members without a
 * value are absent.
 */
export type RequestRecord = {
  ended_at: number;
  /** Absent: the API. Records of earlier versions have no source. */
  source?: RequestSource;
  request_id: string;
  method: string;
  path: string;
  route: string;
  status?: number;
  code?: string;
  /** The resource that the server lacked for the request. */
  reason?: RefusalReason;
  message?: string;
  /** The path of the field that the refusal named. */
  param?: string;
  /** The figures of the refusal. */
  facts?: RefusalFacts;
  account: string;
  key_id?: string;
  key_name?: string;
  model?: string;
  /** The end user that the client named. */
  user?: string;
  /** The tags of the request and of its key. */
  tags?: string[];
  served_model?: string;
  provider?: string;
  queue_ms?: number;
  losses?: string[];
  stream?: boolean;
  input_tokens?: number;
  output_tokens?: number;
  usage_estimated?: boolean;
  first_byte_ms?: number;
  first_token_ms?: number;
  /** The cost at list rates. The receipt has the charge. */
  cost_microcredits?: number;
  duration_ms: number;
  client_address?: string;
  user_agent?: string;
  calls?: RecordedCall[];
  /** The request whose answer this retry got. */
  replay_of?: string;
};
