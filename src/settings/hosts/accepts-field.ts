import { MEDIA_URLS, type ReservedField } from '../../translation/canonical/reserved-field.ts';
import type { Provider } from './providers.ts';

/**
 * Reports whether the operator allows a provider to receive a member that needs consent. Forwarded headers
 * count as allowed, and so do URLs of media to providers that are not inside.
 */
export function acceptsField(
  { allowFields, forwardHeaders, isInside }: Provider,
  field: ReservedField,
): boolean {
  if (allowFields.has(field)) return true;
  return field === MEDIA_URLS ? !isInside : (forwardHeaders?.includes(field) ?? false);
}
