import type { KeyObserver, RefusalObserver } from '../../upstream/calling/provider-activity.ts';
import type { Logger } from './logger.ts';

/** Logs a provider that refuses its key, with the provider's own words. One refusal is enough, since a fallback may hide it. */
export const refusalTeller =
  (logger: Logger): RefusalObserver =>
  (provider, trouble) => {
    const { model, status, type, code, message, requestId } = trouble ?? {};
    logger.error('provider-key-refused', {
      ...{ provider, model, status, type, code, message },
      upstream_request_id: requestId,
    });
  };

/** Logs a provider that accepts its key again. */
export const refusedKeyTeller =
  (logger: Logger): KeyObserver =>
  (provider, isRefused) => {
    if (!isRefused) logger.info('provider-key-accepted', { provider });
  };
