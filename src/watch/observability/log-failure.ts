import { Unavailable } from '../../base/errors/unavailable.ts';
import type { Logger } from './logger.ts';

/** Logs why a request failed. A store that is away is no fault of the gateway. */
export function logFailure(logger: Logger, at: Record<string, unknown>, error: unknown): void {
  if (error instanceof Unavailable) {
    logger.error('unavailable', { ...at, problem: error.sentence });
    return;
  }
  const stack = error instanceof Error ? error.stack : undefined;
  logger.error('unexpected-failure', { ...at, error, stack });
}
