import { Refusal } from '../../base/errors/refusal.ts';
import type { Clock } from '../../base/lib/clock.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { envelopeText } from '../../inference/responses/envelope-text.ts';
import { inputItemsPage } from '../../inference/responses/input-items-page.ts';
import type { Loads } from '../../inference/responses/loads.ts';
import { responseNotFound } from '../../inference/responses/response-not-found.ts';
import type {
  ListedResponse,
  ResponseLookup,
  ResponseStore,
} from '../../inference/responses/response-store.ts';

export type AccountResponsesParts = { store: ResponseStore; loads: Loads; clock: Clock };

/** Names a response of an account. */
export type ResponseOfAccount = { accountId: string; id: string };

/** The earlier turns that a page shows. */
const MAX_EARLIER = 50;

/** A place in a conversation. `response` is undefined if it was deleted or has expired. */
export type ChainLink = { id: string; response: ListedResponse | undefined };

/** The stored responses of all keys of an account. */
export class AccountResponses {
  readonly #parts: AccountResponsesParts;

  constructor(parts: AccountResponsesParts) {
    this.#parts = parts;
  }

  /** Lists newest first. Returns undefined if `after` is not the id of a response. */
  list(page: { accountId: string; limit: number; after?: string | undefined }) {
    return this.#parts.store.listResponses({ ...page, now: this.#parts.clock.now() });
  }

  async find({ accountId, id }: ResponseOfAccount): Promise<ListedResponse | Refusal> {
    const now = this.#parts.clock.now();
    return (await this.#parts.store.findListedResponse({ accountId, id, now })) ?? responseNotFound(id);
  }

  /** Follows the conversation back, and returns it oldest first with the response itself. */
  async chain(response: ListedResponse, accountId: string): Promise<ChainLink[]> {
    const links: ChainLink[] = [{ id: response.id, response }];
    const now = this.#parts.clock.now();
    for (let id = response.previousId; id !== null && links.length <= MAX_EARLIER; ) {
      const earlier = await this.#parts.store.findListedResponse({ accountId, id, now });
      links.push({ id, response: earlier });
      id = earlier?.previousId ?? null;
    }
    return links.reverse();
  }

  /** Returns the response as it was sent. */
  envelope(exchange: Exchange, response: ListedResponse): Promise<string | Refusal> {
    const { store, loads } = this.#parts;
    return envelopeText({ store, loads: loads.ofPerson(exchange) }, this.#wanted(response));
  }

  /** Returns a page of the model's input as JSON, oldest first. */
  async items(
    exchange: Exchange,
    response: ListedResponse,
    { after, limit }: { after: string | undefined; limit: number },
  ): Promise<string | Refusal> {
    const { store, loads } = this.#parts;
    const query = new URLSearchParams({ order: 'asc', limit: String(limit), ...(after && { after }) });
    const page = await inputItemsPage(
      { store, loads: loads.ofPerson(exchange) },
      { wanted: this.#wanted(response), query: query.toString() },
    );
    return page ?? responseNotFound(response.id);
  }

  async delete(wanted: ResponseOfAccount): Promise<Refusal | undefined> {
    const response = await this.find(wanted);
    if (response instanceof Refusal) return response;
    const isDeleted = await this.#parts.store.deleteResponse(this.#wanted(response));
    return isDeleted ? undefined : responseNotFound(wanted.id);
  }

  #wanted({ id, keyId }: ListedResponse): ResponseLookup {
    return { id, keyId, now: this.#parts.clock.now() };
  }
}
