/** The number of steps in the lifetime of stored data. For a day, a step is a second. */
export const STEPS = 86_400;

/** Returns the time of expiry, rounded up so that data with about the same expiry shares one sum. */
export function expiryStep({ createdAt, expiresAt }: { createdAt: number; expiresAt: number }): number {
  const step = Math.max(1, Math.floor((expiresAt - createdAt) / STEPS));
  return Math.ceil(expiresAt / step) * step;
}
