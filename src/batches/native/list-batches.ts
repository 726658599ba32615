import { Refusal } from '../../base/errors/refusal.ts';
import type { JsonObject } from '../../base/json/json-body.ts';
import { objectOf, textOf } from '../../base/json/read-json.ts';
import { callProvider, type ProviderCall } from './call-provider.ts';
import type { ListedBatch } from './native-transport.ts';
import { readObject } from './read-object.ts';

const PAGE = 100;
/** A provider lists its latest batches first, so that a recent one is on an early page. */
const MAX_PAGES = 20;
/** A page of batches without their requests. */
const MAX_PAGE_BYTES = 4 * 1024 * 1024;

export type BatchListing = Pick<ProviderCall, 'provider' | 'wire' | 'path'> & {
  /** The vendor's query parameter for the id after which a page begins. */
  cursor: string;
  /** Reads the members that vendors name differently. `createdMs` is NaN if the batch has no valid time. */
  describe(batch: JsonObject): Pick<ListedBatch, 'mark' | 'size'> & { createdMs: number };
};

/** Yields the batches of a provider, the latest first. */
export async function* listBatches(listing: BatchListing): AsyncGenerator<ListedBatch> {
  const { cursor, describe, ...call } = listing;
  let after = '';
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const response = await callProvider({ ...call, path: `${call.path}?limit=${PAGE}${after}` });
    const nowMs = Date.parse(response.headers.get('date') ?? '');
    const page = await readObject(response, MAX_PAGE_BYTES);
    const batches = batchesOf(page);
    for (const batch of batches) {
      const { createdMs, ...described } = describe(batch);
      const ageMs = nowMs - createdMs;
      yield { upstreamId: batch.id, ...described, ageMs: Number.isNaN(ageMs) ? undefined : ageMs };
    }
    const last = textOf(page['last_id']) ?? batches.at(-1)?.id;
    if (page['has_more'] !== true || last === undefined) return;
    after = `&${cursor}=${encodeURIComponent(last)}`;
  }
}

/** Returns the batches of a page. An answer without a list does not show that the provider has no batch. */
function batchesOf({ data }: JsonObject): (JsonObject & { id: string })[] {
  if (!Array.isArray(data)) throw new Refusal('upstream_unavailable');
  return data.map(objectOf).filter(hasId);
}

const hasId = (batch: JsonObject): batch is JsonObject & { id: string } => typeof batch['id'] === 'string';
