import type { Logger } from './logger.ts';

/** Logs that file descriptors run short, and that there are enough again. */
export const descriptorReporter =
  (logger: Logger) =>
  (isShort: boolean, facts: { in_use: number; limit: number }): void =>
    isShort ? logger.warn('descriptors-short', facts) : logger.info('descriptors-enough', facts);

/** Logs that calls fail for lack of a resource of this machine, and that they no longer do. */
export const localResourceReporter =
  (logger: Logger, descriptorsInUse: () => number) =>
  (resource: string, state: 'exhausted' | 'back'): void =>
    state === 'exhausted'
      ? logger.error('local-resource-exhausted', { resource, descriptors_in_use: descriptorsInUse() })
      : logger.info('local-resource-back', { resource });
