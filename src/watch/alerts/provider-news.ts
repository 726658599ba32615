import { asSentence } from '../../base/lib/as-sentence.ts';
import { cutText } from '../../base/lib/cut-text.ts';
import { isoTime, isoTimeOrNull } from '../../base/lib/iso-time.ts';
import type { AlertEvent } from '../../settings/config/alerts-schema.ts';
import type { ProviderActivityView } from '../../upstream/calling/provider-activity-view.ts';
import { type FaultCause, faultRemedies, type ProviderFault } from '../../upstream/calling/provider-fault.ts';
import type { AlertNews } from './alert.ts';

/** The most characters of a provider's own words. */
const MAX_QUOTE = 300;

/** The alert about a fault that only an operator can end. */
type FaultAlarm = { event: AlertEvent; predicate: string };

/**
 * The alarms by cause. A provider without credit, or with a different clock, serves nothing, so it is
 * reported as down. A wrong certificate ends every call, so `isDown` finds the outage.
 */
const alarms: Readonly<Record<FaultCause, FaultAlarm | null>> = {
  key_refused: { event: 'provider_key_refused', predicate: "refuses the gateway's key" },
  out_of_credit: { event: 'provider_down', predicate: "says that the gateway's account has no credit left" },
  clock_skew: {
    event: 'provider_down',
    predicate: "refuses the gateway's credentials, and its clock and the clock of this machine differ",
  },
  certificate: null,
};

/** Returns the alarm of a fault, or null if no alert reports the fault. */
export const alarmOf = ({ isAlarming, cause }: ProviderFault): FaultAlarm | null =>
  isAlarming ? alarms[cause] : null;

/**
 * Reports whether a provider is down. A fault with an alarm has an alert of its own. A drained provider is
 * meant to be out of use.
 */
export function isDown({ health, fault, lastProbe }: ProviderActivityView): boolean {
  if (health === 'drained' || (fault && alarmOf(fault))) return false;
  return health === 'down' || hasFailed(lastProbe);
}

const hasFailed = (probe: ProviderActivityView['lastProbe']): boolean =>
  probe?.outcome === 'error' || probe?.outcome === 'timeout';

export function newsOfAlarm(id: string, fault: ProviderFault, { event, predicate }: FaultAlarm): AlertNews {
  const { cause, since, model, status, message } = fault;
  return {
    event,
    message: `The provider ${id} ${predicate}. ${answerOf(fault)} ${faultRemedies[cause]}`,
    data: { provider: id, cause, since: isoTime(since), model, status, reason: message },
  };
}

function answerOf({ status, model, message }: ProviderFault): string {
  const call = model === null ? '' : ` to a call of ${model}`;
  const quote = message ? `: ${cutText(message, MAX_QUOTE)}` : '';
  return asSentence(`It answered ${status ?? 'a probe'}${call}${quote}`);
}

export function newsOfOutage(id: string, view: ProviderActivityView): AlertNews {
  const { errorRate, lastErrorAt, lastError, lastProbe, fault } = view;
  const probeFailed = hasFailed(lastProbe);
  const calls = `${Math.round(errorRate * 100)} % of the calls in the last minute have failed.`;
  const message = lastError?.message ?? null;
  const reason = message && cutText(message, MAX_QUOTE);
  const latest = reason === null ? '' : ` The latest error: ${asSentence(reason)}`;
  const remedy = fault ? ` ${faultRemedies[fault.cause]}` : '';
  return {
    event: 'provider_down',
    message: `The provider ${id} is down. ${probeFailed ? 'The latest probe has failed.' : calls}${latest}${remedy}`,
    data: {
      provider: id,
      cause: fault?.cause ?? (probeFailed ? 'probe_failed' : 'errors'),
      error_rate: errorRate,
      probe_failed: probeFailed,
      last_error_at: isoTimeOrNull(lastErrorAt),
      model: lastError?.model ?? null,
      status: lastError?.status ?? null,
      reason,
    },
  };
}
