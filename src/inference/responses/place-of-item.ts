import { invalidParam } from '../../base/errors/invalid-param.ts';
import type { Refusal } from '../../base/errors/refusal.ts';
import { printable } from '../../base/schema/printable.ts';
import { type Listing, sectionBytes } from './listing.ts';
import { OWN_ITEM_ID } from './own-item-id.ts';
import type { ListedSection } from './response-store.ts';
import { sectionItems } from './section-items.ts';

/** The length of text to search before other requests get a turn. */
const SEARCHED_AT_A_TIME = 128 * 1024;

/**
 * Finds the place of an item by its id. Ids from the gateway contain the place. For any other id the listing
 * is searched.
 */
export async function placeOfItem(
  listing: Listing,
  id: string,
  { isAscending }: { isAscending: boolean },
): Promise<number | Refusal> {
  const { store, wanted, count } = listing;
  const [, own, isInput, place] = OWN_ITEM_ID.exec(id) ?? [];
  if (isInput && wanted.id === `resp_${own}` && Number(place) < count) return Number(place);
  const sections = await store.placeListed(wanted, { from: 0, to: count });
  const likely = sections.filter(({ turnId, isOutput }) => isOutput && turnId === `resp_${own}`);
  const ordered = isAscending ? sections : sections.toReversed();
  const itemPlace = (await search(listing, likely, id)) ?? (await search(listing, ordered, id));
  return itemPlace ?? invalidParam('after', `is not an item of this response: '${printable(id, 80)}'.`);
}

/** Searches sections for an item, and returns its place. */
async function search(
  { store, loads, wanted }: Listing,
  sections: readonly ListedSection[],
  id: string,
): Promise<number | Refusal | undefined> {
  const refusal = await loads.count(sectionBytes(sections));
  if (refusal) return refusal;
  const needle = JSON.stringify(id);
  let searched = 0;
  for (const section of sections) {
    if (searched > SEARCHED_AT_A_TIME) {
      await new Promise((resolve) => setImmediate(resolve));
      searched = 0;
    }
    searched += section.bytes;
    const list = await store.loadSection(section, wanted.keyId);
    if (!list?.includes(needle)) continue;
    const { first, items } = section;
    const shown = sectionItems(list, section, { responseId: wanted.id, from: first, to: first + items });
    const index = shown.findIndex((item) => item.id === id);
    if (index >= 0) return first + index;
  }
  return undefined;
}
