import type { Clock } from '../../base/lib/clock.ts';
import { MINUTE_MS } from '../../base/lib/units.ts';
import type { Logger } from './logger.ts';

type ReporterParts = { logger: Pick<Logger, 'error'>; clock: Pick<Clock, 'now'> };

/**
 * Returns a function that logs the failures of repeated work. An equal failure is logged once a minute, so
 * that the log of a full disk stays short.
 */
export function failureReporter({ logger, clock }: ReporterParts, event: string, what: string) {
  let latest: { error: string; at: number } | undefined;
  return (failure: unknown): void => {
    const error = String(failure);
    const at = clock.now();
    if (latest?.error === error && Math.abs(at - latest.at) < MINUTE_MS) return;
    latest = { error, at };
    logger.error(event, { what, error });
  };
}
