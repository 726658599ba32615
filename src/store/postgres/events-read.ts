/**
 * Resolves when the events that the kernel has ready are handled. Requests that arrive or end at the same
 * moment then leave in one call. It waits for no timer.
 */
export const eventsRead = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
