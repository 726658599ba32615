import { type Item, itemsOf } from './item-texts.ts';
import { listedInput } from './listed-input.ts';
import type { LoadedResponse, ResponseStore } from './response-store.ts';
import type { Wanted } from './stored-response.ts';

/** An item that a key has stored, and the model that made it. */
export type FoundItem = Item & { model: string };

/** Ids that we give say which response they are of; behind `in` stands the place among its listed input. */
const OWN_ID = /^[a-z]+_([0-9A-Za-z]{29})_(in)?\d+$/;

/** Looks up items by their ids; what it has loaded it keeps, for the next item of the same request. */
export class ItemFinder {
  readonly #store: ResponseStore;
  readonly #owner: Omit<Wanted, 'id'>;
  readonly #loaded = new Map<string, Promise<Map<string, FoundItem>>>();

  constructor(store: ResponseStore, owner: Omit<Wanted, 'id'>) {
    this.#store = store;
    this.#owner = owner;
  }

  async find(id: string): Promise<FoundItem | undefined> {
    const [, own, isInput] = OWN_ID.exec(id) ?? [];
    const responseId = own ? `resp_${own}` : await this.#store.findResponseOfItem({ ...this.#owner, id });
    if (responseId === undefined) return undefined;
    const key = isInput ? `${responseId} input` : responseId;
    const items =
      this.#loaded.get(key) ?? (isInput ? this.#loadInput(responseId) : this.#loadOutput(responseId));
    this.#loaded.set(key, items);
    return (await items).get(id);
  }

  async #loadOutput(id: string): Promise<Map<string, FoundItem>> {
    const loaded = await this.#store.loadResponse({ ...this.#owner, id });
    return loaded ? outputItems(loaded) : new Map();
  }

  async #loadInput(id: string): Promise<Map<string, FoundItem>> {
    const turns = await this.#store.loadTurns({ ...this.#owner, id });
    const model = turns.at(-1)?.model ?? '';
    return new Map(
      listedInput(id, turns).map((value) => [value.id, { text: JSON.stringify(value), value, model }]),
    );
  }
}

/** Those that were shown, and over them those of the same id that hold what was not. */
function outputItems({ envelope, turn }: LoadedResponse): Map<string, FoundItem> {
  const { output } = JSON.parse(envelope) as { output: Record<string, unknown>[] };
  const shown = output.map((value) => ({ text: JSON.stringify(value), value }));
  return new Map(
    [...shown, ...itemsOf(turn.output)].map((item) => [
      String(item.value.id),
      { ...item, model: turn.model },
    ]),
  );
}
