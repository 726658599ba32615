import { asSentence } from '../../base/lib/as-sentence.ts';
import { cutText } from '../../base/lib/cut-text.ts';
import { isoTime } from '../../base/lib/iso-time.ts';
import { failureRemedies } from '../../upstream/calling/failure-cause.ts';
import { unusableRemedies } from '../../upstream/calling/unusable-cause.ts';
import type { JoinedFault, RecordedCause } from './fault.ts';

/**
 * `error`: an operator must act before the provider serves such calls. `warning`: the cause can end by
 * itself.
 */
export type FaultSeverity = 'error' | 'warning';

const words: Readonly<Record<RecordedCause, { sentence: string; severity: FaultSeverity }>> = {
  credential_unreadable: { sentence: 'The stored credential cannot be read', severity: 'error' },
  row_invalid: { sentence: 'The stored provider is not valid', severity: 'error' },
  key_refused: { sentence: 'The provider refuses its key', severity: 'error' },
  out_of_credit: { sentence: "The gateway's account at the provider has no credit left", severity: 'error' },
  clock_skew: { sentence: 'The provider refuses signatures, because two clocks differ', severity: 'error' },
  unreachable: { sentence: 'The provider cannot be reached', severity: 'error' },
  not_found: { sentence: 'The provider does not know what was called', severity: 'error' },
  malformed: { sentence: 'The gateway cannot read the answers of the provider', severity: 'error' },
  failing: { sentence: 'The provider answers with errors', severity: 'error' },
  timeout: { sentence: 'The provider does not answer in time', severity: 'warning' },
  rate_limited: { sentence: 'The provider limits the rate of calls', severity: 'warning' },
  overloaded: { sentence: 'The provider has no capacity', severity: 'warning' },
};

const remedies: Readonly<Record<RecordedCause, string>> = { ...failureRemedies, ...unusableRemedies };

/** The severities, the worst first. */
const severities: readonly FaultSeverity[] = ['error', 'warning'];
/** The most characters of the provider's own words. */
const MAX_QUOTE = 300;

type FaultFacts = Pick<JoinedFault, 'cause' | 'status' | 'message'>;

export const severityOf = (cause: RecordedCause): FaultSeverity => words[cause].severity;

/** Returns the step of an operator that ends the fault. */
export const remedyOf = (cause: RecordedCause): string => remedies[cause];

/** Returns the reason as a sentence, with the words of the provider. */
export function reasonOf({ cause, status, message }: FaultFacts): string {
  const quotation = [status, message && cutText(message, MAX_QUOTE)].filter(Boolean).join(' ');
  return asSentence(quotation === '' ? words[cause].sentence : `${words[cause].sentence}: ${quotation}`);
}

type Ranked = Pick<JoinedFault, 'cause' | 'endedAt' | 'lastAt'>;

/**
 * Compares faults, the worst first: those that last, then those that only an operator ends, then the latest.
 */
export const worstFirst = (one: Ranked, other: Ranked): number =>
  Number(one.endedAt !== null) - Number(other.endedAt !== null) ||
  severities.indexOf(severityOf(one.cause)) - severities.indexOf(severityOf(other.cause)) ||
  other.lastAt - one.lastAt;

/** Returns the event that open pages get when a fault has begun. */
export const faultOccurrence = (fault: JoinedFault): Readonly<Record<string, unknown>> => ({
  event: 'provider_fault',
  id: fault.id,
  provider: fault.provider,
  model: fault.model,
  cause: fault.cause,
  first_at: isoTime(fault.firstAt),
  message: `${fault.provider}: ${reasonOf(fault)}`,
  remedy: remedyOf(fault.cause),
  severity: severityOf(fault.cause),
});
