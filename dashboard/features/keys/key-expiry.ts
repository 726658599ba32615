import { DAY_MS } from '../../../src/base/lib/units.ts';
import type { FormValues } from '../../components/form.tsx';
import type { Option } from '../../components/select.tsx';

/** The choice of a form that leaves a key with the expiry that it has. */
export const KEEP_EXPIRY = 'keep';

/** The choices for every key. A number is one of days. */
export const expiryOptions: readonly Option[] = [
  { value: '7', label: 'In 7 days' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
  { value: 'never', label: 'Never' },
  { value: 'date', label: 'On a date' },
];

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
