import type { MaybeLater } from '../../base/lib/after.ts';
import { inSlices, type Steps } from '../../base/lib/in-slices.ts';
import { type Catalog, type CatalogEntry, isAvailable } from '../../settings/catalog/catalog.ts';
import { nextChange } from '../../settings/catalog/price-condition.ts';
import { modelView, type Viewer } from './model-view.ts';

export type PreparedBody = { body: Uint8Array<ArrayBuffer>; etag: string };

export type WireFilter = 'anthropic' | 'openai' | 'responses' | null;

const wireOf: Record<Exclude<WireFilter, null>, string> = {
  anthropic: 'anthropic-messages',
  openai: 'openai-chat',
  responses: 'openai-responses',
};

export const servedOn = (filter: WireFilter) => (entry: CatalogEntry) =>
  filter === null || entry.nativeWires.includes(wireOf[filter]);

/**
 * Selects the models that a caller may know. In pay-as-you-go mode these are only models with exact delivery.
 */
export const shownIn = (payg: boolean) => (entry: CatalogEntry) => !payg || entry.model.delivery === 'exact';

/** Selects the listed models. Models without a provider are listed only if the operator says so. */
export const listedIn =
  ({ payg, listsUnavailable }: Pick<Viewer, 'payg' | 'listsUnavailable'>) =>
  (entry: CatalogEntry) =>
    shownIn(payg)(entry) && (listsUnavailable || isAvailable(entry));

/** One list for each of eight plans and no plan, two modes and four filters. */
const MAX_PREPARED = 72;

export const prepareBody = (value: unknown): PreparedBody => prepareText(JSON.stringify(value));

function prepareText(text: string): PreparedBody {
  const body = new TextEncoder().encode(text) as Uint8Array<ArrayBuffer>;
  return { body, etag: `"${Bun.hash(body).toString(36)}"` };
}

/** The prepared lists of each catalog. A reload replaces the catalog, and its lists with it. */
const preparedLists = new WeakMap<Catalog, PreparedLists>();

/** Returns the whole list, serialized once for each kind of caller. */
export function preparedList(catalog: Catalog, viewer: Viewer, filter: WireFilter): MaybeLater<PreparedBody> {
  let lists = preparedLists.get(catalog);
  if (!lists) {
    lists = new PreparedLists(catalog.entries);
    preparedLists.set(catalog, lists);
  }
  return lists.list(viewer, filter);
}

/** Returns the time of the next change of a price. */
function nextChangeOf(entries: readonly CatalogEntry[], now: number): number {
  const rows = entries.flatMap(({ model: { pricing, paygPricing } }) => [
    ...(pricing.conditions ?? []),
    ...(paygPricing?.conditions ?? []),
  ]);
  return nextChange(rows, now) ?? Number.POSITIVE_INFINITY;
}

class PreparedLists {
  readonly #entries: readonly CatalogEntry[];
  readonly #lists = new Map<string, { made: MaybeLater<PreparedBody>; from: number; until: number }>();

  constructor(entries: readonly CatalogEntry[]) {
    this.#entries = entries;
  }

  list(viewer: Viewer, filter: WireFilter): MaybeLater<PreparedBody> {
    const kind = `${viewer.plan?.id} ${viewer.payg} ${filter}`;
    const preparedList = this.#lists.get(kind);
    if (preparedList && viewer.now >= preparedList.from && viewer.now < preparedList.until)
      return preparedList.made;
    const making = this.#make(viewer, filter);
    if (preparedList || this.#lists.size < MAX_PREPARED) {
      const from = viewer.now;
      const until = nextChangeOf(this.#entries, from);
      this.#lists.set(kind, { made: making, from, until });
      const keep = (made: PreparedBody | undefined) => {
        if (this.#lists.get(kind)?.made !== making) return; // a newer list has taken its place
        if (made) this.#lists.set(kind, { made, from, until });
        else this.#lists.delete(kind);
      };
      making.then(keep, () => keep(undefined));
    }
    return making;
  }

  /**
   * Builds the list in slices, since a list of thousands of models would block all
   * other requests after a reload.
   */
  async #make(viewer: Viewer, filter: WireFilter): Promise<PreparedBody> {
    const texts = await inSlices(viewTexts(this.#entries, viewer, filter));
    return prepareText(`{"object":"list","data":[${texts.join()}]}`);
  }
}

function* viewTexts(entries: readonly CatalogEntry[], viewer: Viewer, filter: WireFilter): Steps<string[]> {
  const [isListed, isServed] = [listedIn(viewer), servedOn(filter)];
  const texts: string[] = [];
  for (const entry of entries) {
    if (isListed(entry) && isServed(entry)) texts.push(JSON.stringify(modelView(entry, viewer)));
    yield;
  }
  return texts;
}
