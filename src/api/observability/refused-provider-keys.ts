import type { Logger } from './logger.ts';

/** Logs a provider that refuses its key, and a provider that accepts it again. */
export const refusedKeyTeller =
  (logger: Logger) =>
  (provider: string, isRefused: boolean): void =>
    isRefused
      ? logger.error('provider-key-refused', { provider })
      : logger.info('provider-key-accepted', { provider });
