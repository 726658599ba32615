import type { FormValues } from '../../components/form.tsx';

const DAY_MS = 86_400_000;

/** The choice of a form that leaves a key with the expiry that it has. */
export const KEEP_EXPIRY = 'keep';

/** The choices for every key. A number is one of days. */
export const expiryLabels = {
  never: 'Never',
  '7': 'In 7 days',
  '30': 'In 30 days',
  '90': 'In 90 days',
  '365': 'In a year',
  date: 'On a date',
} as const;

/**
 * Returns the time at which the key of a form expires. `null` means never, and undefined that the key keeps
 * its expiry. A date ends with its day, in the person's time zone.
 */
export function expiryOf({ expiry = 'never', expires_at: date }: FormValues, now: number) {
  if (expiry === KEEP_EXPIRY) return undefined;
  if (expiry === 'never') return null;
  if (expiry === 'date') return date ? new Date(`${date}T23:59:59`).toISOString() : undefined;
  return new Date(now + Number(expiry) * DAY_MS).toISOString();
}
