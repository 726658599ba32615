import { keysOf } from '../../../src/base/lib/records.ts';
import type { KeyBody } from '../../../src/console/admin/key-body.ts';
import type { ListedKey } from '../../../src/console/dashboard/key-schema.ts';
import type { FormValues } from '../../components/form.tsx';
import { readTags } from '../../components/read-tags.ts';
import { expiryOf } from './key-expiry.ts';
import { retryLabels } from './retry-labels.ts';

/** The choice of a form that leaves a key with a person who is no longer a member. */
export const KEEP_OWNER = 'keep';

/**
 * Returns the body that creates or changes a key for the values of a form. A member without a value leaves
 * that property of the key as it is.
 */
export function keyBodyOf(values: FormValues, allowedModels: readonly string[], now = Date.now()): KeyBody {
  const { name, payg, monthly_cap_usd, retries, resumable } = values;
  return {
    name: name?.trim() || null,
    payg: payg !== undefined,
    monthly_cap_usd: numberOrNull(monthly_cap_usd),
    allowed_models: allowedModels.length > 0 ? [...allowedModels] : null,
    retries: keysOf(retryLabels).find((choice) => choice === retries) ?? 'none',
    resumable: resumable !== undefined,
    limits: limitsOf(values),
    person_id: ownerOf(values),
    tags: tagsOf(values),
    expires_at: expiryOf(values, now),
  };
}

/** Returns the members of a body that differ from the key, so that a change of others is not undone. */
export function changedMembers(body: KeyBody, key: ListedKey): KeyBody {
  const before: Readonly<Record<string, unknown>> = { ...key, tags: key.tags.length > 0 ? key.tags : null };
  return Object.fromEntries(
    Object.entries(body).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name])),
  );
}

const numberOrNull = (text: string | undefined): number | null => (text ? Number(text) : null);

/** Returns the limits of the key, or `null` if the form has no limits. */
function limitsOf({ requests_per_min, tokens_per_min, concurrent }: FormValues): KeyBody['limits'] {
  const limits = {
    requests_per_min: numberOrNull(requests_per_min),
    tokens_per_min: numberOrNull(tokens_per_min),
    concurrent: numberOrNull(concurrent),
  };
  return Object.values(limits).some((limit) => limit !== null) ? limits : null;
}

/** Returns the owner, or undefined if the form does not ask for an owner or keeps a former member. */
function ownerOf({ person_id }: FormValues): KeyBody['person_id'] {
  if (person_id === undefined || person_id === KEEP_OWNER) return undefined;
  return person_id === '' ? null : person_id;
}

/** Returns the tags. They are undefined if the form does not ask for them. */
function tagsOf({ tags }: FormValues): KeyBody['tags'] {
  if (tags === undefined) return undefined;
  const list = readTags(tags);
  return list.length > 0 ? list : null;
}
