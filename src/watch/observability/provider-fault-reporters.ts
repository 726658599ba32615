import { faultRemedies } from '../../upstream/calling/provider-fault.ts';
import type { FaultObserver, RefusalObserver } from '../../upstream/calling/provider-observers.ts';
import type { Logger } from './logger.ts';

/**
 * Logs a provider that refuses its key, its signature or an account without credit, with the provider's own
 * words. A fallback may hide even one refusal.
 */
export const refusalReporter =
  (logger: Logger): RefusalObserver =>
  (provider, trouble) => {
    const { model, status, type, code, message, requestId, fault: cause = 'key_refused' } = trouble ?? {};
    const fields = {
      provider,
      model,
      status,
      type,
      code,
      message,
      upstream_request_id: requestId,
      remedy: faultRemedies[cause],
    };
    if (cause === 'out_of_credit') logger.error('provider-out-of-credit', fields);
    else logger.error(cause === 'clock_skew' ? 'provider-clock-skew' : 'provider-key-refused', fields);
  };

/** Logs a provider that serves calls again after a fault that only an operator can end. */
export const faultEndReporter =
  (logger: Logger): FaultObserver =>
  (provider, fault) => {
    if (fault === null) logger.info('provider-key-accepted', { provider });
  };
