import { AttemptRecord } from '../../edge/http/attempt-record.ts';
import type { Attempt } from '../../money/ledger/entry.ts';
import type { Target } from '../../settings/hosts/target.ts';
import type { UpstreamFailure } from '../calling/upstream-failure.ts';

/** The number of calls that are kept. A request for many answers makes many calls. */
const MAX_KEPT = 16;

/** A call as the ledger records it, and as operators see it. */
export type TrailCall = { tried: Attempt; record: AttemptRecord };

/**
 * Records the calls that one request makes, and the model that answers it. All parts of one request share a
 * trail.
 */
export class Trail {
  /** The catalog id of the model that answers: the requested model or a substitute. */
  model: string;
  /** The provider of the latest call. */
  provider = '';
  attempts = 0;
  queueMs = 0;
  /**
   * The word for the member without which a call was repeated, because its target had refused it. A request
   * has one such word.
   */
  leftOut: string | undefined;
  readonly tried: Attempt[] = [];
  /** The calls as operators see them. */
  readonly records: AttemptRecord[] = [];
  /** The failures, for the log only. */
  readonly failures: string[] = [];

  constructor(model = '') {
    this.model = model;
  }

  /** Records a call. If the call fails, the caller writes its outcome into the result. */
  begin({ provider, upstreamModel }: Target): TrailCall {
    const tried: Attempt = { provider: provider.id, model: upstreamModel, outcome: 'answered' };
    const record = new AttemptRecord(provider.id, upstreamModel, this.model);
    this.attempts++;
    this.provider = provider.id;
    if (this.tried.length < MAX_KEPT) {
      this.tried.push(tried);
      this.records.push(record);
    }
    return { tried, record };
  }

  fail({ tried }: TrailCall, { refusal, reason }: UpstreamFailure): void {
    tried.outcome = refusal.code;
    if (this.failures.length < MAX_KEPT) this.failures.push(`${tried.provider}: ${reason}`);
  }
}
