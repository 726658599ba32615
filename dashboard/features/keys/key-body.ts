import type { KeyBody } from '../../../src/console/admin/key-body.ts';
import type { FormValues } from '../../components/form.tsx';
import { readTags } from '../../components/read-tags.ts';

const DAY_MS = 86_400_000;

/** The choices of an expiry. `keep` is for a key that has one. */
export const expiries = {
  never: 'Never',
  '7': 'In 7 days',
  '30': 'In 30 days',
  '90': 'In 90 days',
  '365': 'In a year',
  date: 'On a date',
} as const;

/** Which repeated requests get the answer of the first one. */
export const retries = {
  none: 'Each request is made',
  keyed: 'Requests with the same Idempotency-Key share one answer',
  join: 'Retries of SDKs share the answer too',
} as const;

/** The choice of a form that leaves a key with a person who is no longer a member. */
export const KEEP_OWNER = 'keep';

const isRetries = (value: string | undefined): value is keyof typeof retries =>
  value !== undefined && Object.hasOwn(retries, value);

const numberOrNull = (text: string | undefined): number | null => (text ? Number(text) : null);

/** `undefined` means that it stays as it is. A date ends with its day, in the person's time zone. */
function expiryOf({ expiry, expires_at: date }: FormValues, now: number): string | null | undefined {
  if (expiry === 'keep') return undefined;
  if (expiry === 'date') return date ? new Date(`${date}T23:59:59`).toISOString() : undefined;
  return expiry === undefined || expiry === 'never'
    ? null
    : new Date(now + Number(expiry) * DAY_MS).toISOString();
}

/** A field that the form does not have leaves the key as it is. */
function ownerOf({ person_id: person, tags }: FormValues): Pick<KeyBody, 'person_id' | 'tags'> {
  const list = readTags(tags ?? '');
  return {
    ...(person !== undefined && person !== KEEP_OWNER && { person_id: person || null }),
    ...(tags !== undefined && { tags: list.length > 0 ? list : null }),
  };
}

/** Returns the body of a request for a form's values. */
export function keyBodyOf(values: FormValues, allowedModels: readonly string[], now = Date.now()): KeyBody {
  const expiresAt = expiryOf(values, now);
  const limits = {
    requests_per_min: numberOrNull(values.requests_per_min),
    tokens_per_min: numberOrNull(values.tokens_per_min),
    concurrent: numberOrNull(values.concurrent),
  };
  return {
    name: values.name?.trim() || null,
    payg: values.payg !== undefined,
    monthly_cap_usd: numberOrNull(values.monthly_cap_usd),
    allowed_models: allowedModels.length > 0 ? [...allowedModels] : null,
    retries: isRetries(values.retries) ? values.retries : 'none',
    resumable: values.resumable !== undefined,
    limits: Object.values(limits).some((limit) => limit !== null) ? limits : null,
    ...ownerOf(values),
    ...(expiresAt !== undefined && { expires_at: expiresAt }),
  };
}
