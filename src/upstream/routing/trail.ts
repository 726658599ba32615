import type { Attempt } from '../../money/ledger/entry.ts';
import type { Target } from '../../settings/hosts/target.ts';
import type { UpstreamFailure } from '../calling/upstream-failure.ts';

/** A request for many answers is many calls: the trail keeps the first ones. */
const MOST_KEPT = 16;

/** The calls that one request makes, and the model that answers it. The parts of one request share a trail. */
export class Trail {
  /** The catalog's id of the model that answers: the requested one, or a comparable one in its place. */
  model: string;
  /** The provider that was called last. */
  provider = '';
  attempts = 0;
  queueMs = 0;
  readonly tried: Attempt[] = [];
  /** For the log alone. */
  readonly failures: string[] = [];

  constructor(model = '') {
    this.model = model;
  }

  /** Records a call. The caller writes its outcome into the result if it fails. */
  begin({ provider, upstreamModel }: Target): Attempt {
    const tried: Attempt = { provider: provider.id, model: upstreamModel, outcome: 'answered' };
    this.attempts++;
    this.provider = provider.id;
    if (this.tried.length < MOST_KEPT) this.tried.push(tried);
    return tried;
  }

  fail(tried: Attempt, { refusal, reason }: UpstreamFailure): void {
    tried.outcome = refusal.code;
    if (this.failures.length < MOST_KEPT) this.failures.push(`${tried.provider}: ${reason}`);
  }
}
