import { inSlices, type Steps } from '../../base/lib/in-slices.ts';
import type { Catalog, CatalogEntry } from '../../settings/catalog/catalog.ts';
import { nextChange } from '../../settings/catalog/price-changes.ts';
import { isListed } from './is-listed.ts';
import { modelView, type Viewer } from './model-view.ts';
import { type PreparedBody, prepareText } from './prepared-body.ts';
import { matchesWire, type WireFilter } from './wire-filter.ts';

/** One list for each of eight plans and no plan, two modes and four filters. */
const MAX_LISTS = 72;

/** The prepared lists of each catalog. A reload replaces the catalog, and its lists with it. */
const listsOf = new WeakMap<Catalog, PreparedLists>();

/** Returns the whole list of models, serialized once for each kind of caller. */
export function preparedList(catalog: Catalog, viewer: Viewer, filter: WireFilter): Promise<PreparedBody> {
  let lists = listsOf.get(catalog);
  if (!lists) {
    lists = new PreparedLists(catalog.entries);
    listsOf.set(catalog, lists);
  }
  return lists.find(viewer, filter);
}

/** The prices of a list hold from `from` until `until`, when one of them changes. */
type PreparedList = { body: Promise<PreparedBody>; from: number; until: number };

/** The lists of one catalog, by the kind of their caller. */
class PreparedLists {
  readonly #entries: readonly CatalogEntry[];
  readonly #lists = new Map<string, PreparedList>();

  constructor(entries: readonly CatalogEntry[]) {
    this.#entries = entries;
  }

  find(viewer: Viewer, filter: WireFilter): Promise<PreparedBody> {
    const kind = `${viewer.plan?.id} ${viewer.payg} ${filter}`;
    const list = this.#lists.get(kind);
    if (list && viewer.now >= list.from && viewer.now < list.until) return list.body;
    const body = this.#prepare(viewer, filter);
    if (list || this.#lists.size < MAX_LISTS) this.#keep(kind, body, viewer.now);
    return body;
  }

  /** Keeps a list until a price changes, or until its preparation fails. */
  #keep(kind: string, body: Promise<PreparedBody>, from: number): void {
    this.#lists.set(kind, { body, from, until: nextChangeOf(this.#entries, from) });
    body.catch(() => {
      if (this.#lists.get(kind)?.body === body) this.#lists.delete(kind);
    });
  }

  /**
   * Builds the list in slices, since a list of thousands of models would block all other requests after a
   * reload.
   */
  async #prepare(viewer: Viewer, filter: WireFilter): Promise<PreparedBody> {
    const texts = await inSlices(viewTexts(this.#entries, viewer, filter));
    return prepareText(`{"object":"list","data":[${texts.join()}]}`);
  }
}

/** Returns the time of the next change of a price. */
function nextChangeOf(entries: readonly CatalogEntry[], now: number): number {
  const conditions = entries.flatMap(({ model: { pricing, paygPricing } }) => [
    ...(pricing.conditions ?? []),
    ...(paygPricing?.conditions ?? []),
  ]);
  return nextChange(conditions, now) ?? Number.POSITIVE_INFINITY;
}

function* viewTexts(entries: readonly CatalogEntry[], viewer: Viewer, filter: WireFilter): Steps<string[]> {
  const texts: string[] = [];
  for (const entry of entries) {
    if (isListed(entry, viewer) && matchesWire(entry, filter))
      texts.push(JSON.stringify(modelView(entry, viewer)));
    yield;
  }
  return texts;
}
