import { MEDIA_URLS, type ReservedField } from '../../translation/canonical/reserved-field.ts';
import type { Provider } from './providers.ts';

/** Whether the operator lets a provider have what needs consent. A header that the row forwards by its name is one of these. */
export function acceptsField(
  { allowFields, forwardHeaders, isInside }: Provider,
  field: ReservedField,
): boolean {
  if (allowFields.has(field)) return true;
  return field === MEDIA_URLS ? !isInside : (forwardHeaders?.includes(field) ?? false);
}
