import type { Refusal } from '../../base/errors/refusal.ts';
import { MAX_BODY_BYTES, SMALL_BODY_BYTES } from '../../base/json/body-sizes.ts';
import { type Item, itemsOf } from './item-texts.ts';
import type { LoadCaller, Loads } from './loads.ts';
import { OWN_ITEM_ID } from './own-item-id.ts';
import type { Answered, ListedSection, ResponseLookup, ResponseStore } from './response-store.ts';
import { sectionItems } from './section-items.ts';
import { OVER_LIMIT, tooLong } from './too-long.ts';

/** An item that a key has stored, with the model that made it. */
export type FoundItem = Item & { model: string };

type FinderParts = {
  store: ResponseStore;
  loads: Loads;
  caller: LoadCaller;
  owner: Omit<ResponseLookup, 'id'>;
};
type Items = Map<string, FoundItem>;

/** Looks up stored items by their ids. Loaded items are kept for later lookups of the same request. */
export class ItemFinder {
  readonly #parts: FinderParts;
  readonly #loaded = new Map<string, Items>();
  #bytes = 0;
  #claimed = 0;

  constructor(parts: FinderParts) {
    this.#parts = parts;
  }

  async find(id: string): Promise<FoundItem | Refusal | undefined> {
    const { store, owner } = this.#parts;
    const [, own, isInput, place] = OWN_ITEM_ID.exec(id) ?? [];
    const responseId = own ? `resp_${own}` : await store.findResponseOfItem({ ...owner, id });
    if (responseId === undefined) return undefined;
    const items = isInput ? await this.#inputAt(responseId, Number(place)) : await this.#outputOf(responseId);
    return items instanceof Map ? items.get(id) : items;
  }

  async #outputOf(id: string): Promise<Items | Refusal | undefined> {
    const { store, owner } = this.#parts;
    const list = this.#loaded.get(id);
    if (list) return list;
    const sizes = await store.measureResponse({ ...owner, id });
    if (!sizes) return undefined;
    const refusal = await this.#claim(sizes.envelope + sizes.turn);
    if (refusal) return refusal;
    const answered = await store.loadAnswered({ ...owner, id });
    return answered && this.#keep(id, outputItems(answered));
  }

  async #inputAt(id: string, place: number): Promise<Items | Refusal | undefined> {
    const { store, owner } = this.#parts;
    const wanted = { ...owner, id };
    const count = await store.countListed(wanted);
    if (count === undefined || place >= count) return undefined;
    const [section] = await store.placeListed(wanted, { from: place, to: place + 1 });
    if (!section) return undefined;
    const key = `${id} ${section.turnId} ${section.isOutput} ${section.part}`;
    return this.#loaded.get(key) ?? this.#loadSection(id, section, key);
  }

  async #loadSection(
    responseId: string,
    section: ListedSection,
    key: string,
  ): Promise<Items | Refusal | undefined> {
    const refusal = await this.#claim(section.bytes);
    if (refusal) return refusal;
    const { store, owner } = this.#parts;
    const list = await store.loadSection(section, owner.keyId);
    if (list === undefined) return undefined;
    const { first, items, model } = section;
    const listed = sectionItems(list, section, { responseId, from: first, to: first + items });
    return this.#keep(
      key,
      new Map(listed.map(({ id, text }) => [id, { text, value: JSON.parse(text), model }])),
    );
  }

  #keep(key: string, items: Items): Items {
    this.#loaded.set(key, items);
    return items;
  }

  /**
   * Books the memory of referenced items until the request's body is released. Together with them a request
   * is at most as long as a body may be.
   */
  async #claim(bytes: number): Promise<Refusal | undefined> {
    this.#bytes += bytes;
    if (this.#bytes > 2 * MAX_BODY_BYTES) return tooLong(OVER_LIMIT, 'input');
    const unclaimed = this.#bytes - this.#claimed;
    if (unclaimed <= SMALL_BODY_BYTES) return undefined;
    this.#claimed = this.#bytes;
    return this.#parts.loads.claim(this.#parts.caller, unclaimed);
  }
}

/**
 * Returns the items that were sent. An item that was stored with hidden members replaces the sent item of the
 * same id.
 */
function outputItems({ envelope, model, output: list }: Answered): Items {
  const { output } = JSON.parse(envelope) as { output: Record<string, unknown>[] };
  const shown = output.map((value) => ({ text: JSON.stringify(value), value }));
  return new Map([...shown, ...itemsOf(list)].map((item) => [String(item.value.id), { ...item, model }]));
}
