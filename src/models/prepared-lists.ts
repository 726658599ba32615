import type { CatalogEntry } from '../catalog/catalog.ts';
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

/** In pay-as-you-go mode only what is delivered exactly is shown. */
export const listedIn = (payg: boolean) => (entry: CatalogEntry) => !payg || entry.model.delivery === 'exact';

/** Eight plans and nobody, two modes, four filters. */
const MAX_PREPARED = 72;

export function prepareBody(value: unknown): PreparedBody {
  const body = new TextEncoder().encode(JSON.stringify(value)) as Uint8Array<ArrayBuffer>;
  return { body, etag: `"${Bun.hash(body).toString(36)}"` };
}

/** Whole lists, made once for each kind of caller and sent as they are. They live and die with their snapshot. */
export class PreparedLists {
  readonly #entries: readonly CatalogEntry[];
  readonly #lists = new Map<string, PreparedBody>();

  constructor(entries: readonly CatalogEntry[]) {
    this.#entries = entries;
  }

  list(viewer: Viewer, filter: WireFilter): PreparedBody {
    const kind = `${viewer.plan?.id} ${viewer.payg} ${filter}`;
    const known = this.#lists.get(kind);
    if (known) return known;
    const data = this.#entries
      .filter(listedIn(viewer.payg))
      .filter(servedOn(filter))
      .map((entry) => modelView(entry, viewer));
    const made = prepareBody({ object: 'list', data });
    if (this.#lists.size < MAX_PREPARED) this.#lists.set(kind, made);
    return made;
  }
}
