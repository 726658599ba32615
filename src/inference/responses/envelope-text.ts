import type { Refusal } from '../../base/errors/refusal.ts';
import type { KeptForm } from '../../translation/contract/kept-form.ts';
import type { PageParts } from './listing.ts';
import { responseNotFound } from './response-not-found.ts';
import type { ResponseLookup } from './response-store.ts';

/** Returns a stored response as it was sent, with its memory booked. */
export async function envelopeText(
  { store, loads }: PageParts,
  wanted: ResponseLookup,
  form?: KeptForm,
): Promise<string | Refusal> {
  const sizes = await store.measureResponse(wanted);
  if (!sizes) return responseNotFound(wanted.id, form);
  const refusal = await loads.claim(sizes.envelope);
  return refusal ?? (await store.loadEnvelope(wanted)) ?? responseNotFound(wanted.id, form);
}
