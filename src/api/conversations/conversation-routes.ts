import { Refusal } from '../../base/errors/refusal.ts';
import type { JsonBody } from '../../base/json/json-body.ts';
import { memberText } from '../../base/json/member-text.ts';
import type { Clock } from '../../base/lib/clock.ts';
import { newId } from '../../base/lib/ids.ts';
import { printable } from '../../base/schema/printable.ts';
import type { Validator } from '../../base/schema/validator.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { BodyReader } from '../../edge/http/read-body.ts';
import { jsonReply, type Reply } from '../../edge/http/reply.ts';
import type { Handler, Method, Route, RouteDescription } from '../../edge/http/route.ts';
import type { HeldConversation } from '../../inference/conversation/conversation-holds.ts';
import type {
  ConversationPart,
  ConversationStore,
  NumberedPart,
  StoredConversation,
} from '../../inference/conversation/conversation-store.ts';
import { expiryOf } from '../../inference/conversation/expiry-of.ts';
import {
  conversationNotFound,
  type NamedConversations,
  nextPlace,
  partBytes,
} from '../../inference/conversation/named-conversations.ts';
import { shownItems } from '../../inference/conversation/shown-items.ts';
import type { LoadCaller } from '../../inference/responses/loads.ts';
import type { Authenticator } from '../../money/auth/authenticator.ts';
import type { StorageLimits } from '../../money/limits/storage-limits.ts';
import { STORED_ROW_BYTES } from '../../money/limits/stored-bytes.ts';
import { nameReferences } from '../../translation/protocols/responses/item-reference.ts';
import { conversationDescriptions } from './conversation-descriptions.ts';
import { itemsPage, listText, type PlacedItem, placedItems, readPageQuery } from './conversation-pages.ts';
import { checkBodies, refuseBody } from './conversation-requests.ts';
import { removeItem } from './remove-item.ts';

export type ConversationRoutesParts = {
  authenticator: Authenticator;
  readBody: BodyReader;
  store: ConversationStore;
  named: NamedConversations;
  limits: StorageLimits;
  clock: Clock;
};

/** A call of one of the routes, with the body if the route takes one. */
type Call = LoadCaller & { exchange: Exchange; id: string; body: JsonBody };
type Answer = Promise<Reply | Refusal>;

const jsonText = (body: string): Reply => ({
  status: 200,
  body,
  headers: { 'content-type': 'application/json' },
});

const view = ({ id, createdAt, metadata }: StoredConversation) => ({
  id,
  object: 'conversation',
  created_at: Math.floor(createdAt / 1_000),
  metadata: JSON.parse(metadata) as unknown,
});

/** Returns the routes for conversations. Only the key that created a conversation can access it. */
export function conversationRoutes(parts: ConversationRoutesParts): Route[] {
  const { authenticator, readBody } = parts;
  const service = new ConversationCalls(parts);
  const route = (
    method: Method,
    path: string,
    describe: RouteDescription,
    work: (call: Call) => Answer,
    validate?: Validator,
  ): Route => {
    const handle: Handler = async (exchange) => {
      const principal = await authenticator.authenticateRead(exchange, 'bearer');
      if (principal instanceof Refusal) return principal;
      const body = validate ? await readBody(exchange) : NO_BODY;
      if (body instanceof Refusal) return body;
      nameReferences(body.value.items);
      const invalid = validate && refuseBody(body, validate);
      return invalid ?? work({ exchange, principal, body, id: exchange.params.id ?? '' });
    };
    return { method, path: `/v1/conversations${path}`, describe, handle };
  };
  const { create, show, update, remove, addItems, listItems, showItem, removeItem } =
    conversationDescriptions;
  return [
    route('POST', '', create, (call) => service.create(call), checkBodies.create),
    route('GET', '/{id}', show, (call) => service.show(call)),
    route('POST', '/{id}', update, (call) => service.update(call), checkBodies.update),
    route('DELETE', '/{id}', remove, (call) => service.remove(call)),
    route('POST', '/{id}/items', addItems, (call) => service.addItems(call), checkBodies.addItems),
    route('GET', '/{id}/items', listItems, (call) => service.listItems(call)),
    route('GET', '/{id}/items/{item}', showItem, (call) => service.showItem(call)),
    route('DELETE', '/{id}/items/{item}', removeItem, (call) => service.removeItem(call)),
  ];
}

const NO_BODY: JsonBody = { text: '{}', value: {}, members: new Map() };
const NO_PART: ConversationPart = {
  model: '',
  input: '[]',
  output: '[]',
  shownInput: '[]',
  shownOutput: '[]',
};

class ConversationCalls {
  readonly #parts: ConversationRoutesParts;

  constructor(parts: ConversationRoutesParts) {
    this.#parts = parts;
  }

  async create(call: Call): Answer {
    const { exchange, principal, body } = call;
    const { store, limits, clock } = this.#parts;
    const metadata = JSON.stringify(body.value.metadata ?? {});
    const bytes = body.text.length + STORED_ROW_BYTES;
    const refusal =
      limits.refuseAsFull() ??
      (await limits.refuseStored(exchange, principal, { bytes, name: 'conversation' }));
    if (refusal) return refusal;
    const now = clock.now();
    const conversation = {
      id: newId('conv_'),
      keyId: principal.apiKey.id,
      accountId: principal.account.id,
      createdAt: now,
      metadata,
      stored: metadata.length + STORED_ROW_BYTES,
      parts: 0,
      ...expiryOf(exchange, now),
    };
    await store.createConversation(conversation);
    if (Array.isArray(body.value.items) && body.value.items.length > 0) {
      const remove = () => store.deleteConversation({ id: conversation.id, keyId: conversation.keyId, now });
      const added = await this.addItems({ ...call, id: conversation.id }).catch(async (error: unknown) => {
        await remove();
        throw error;
      });
      if (added instanceof Refusal) {
        await remove();
        return added;
      }
    }
    return jsonReply(200, view(conversation));
  }

  async show(call: Call): Answer {
    const found = await this.#find(call);
    return found instanceof Refusal ? found : jsonReply(200, view(found));
  }

  update(call: Call): Answer {
    return this.#changing(call, async (held, found) => {
      const metadata = JSON.stringify(call.body.value.metadata ?? {});
      const { named, store } = this.#parts;
      const bytes = metadata.length - found.metadata.length;
      const isSet = await store.setMetadata({ ...named.change(call, held), metadata, bytes });
      return isSet ? jsonReply(200, view({ ...found, metadata })) : conversationNotFound(call.id);
    });
  }

  async remove(call: Call): Answer {
    const { id } = call;
    const isDeleted = await this.#parts.store.deleteConversation(this.#wanted(call));
    return isDeleted
      ? jsonReply(200, { id, object: 'conversation.deleted', deleted: true })
      : conversationNotFound(id);
  }

  addItems(call: Call): Answer {
    const { exchange, principal, body } = call;
    const { named, store, limits } = this.#parts;
    return this.#changing(call, async (held, { parts }) => {
      const input = memberText(body, 'items');
      const place = nextPlace(parts > 0 ? [{ part: parts - 1 }] : []);
      const part = { ...NO_PART, input, shownInput: shownItems(input, held.id, place) };
      const bytes = partBytes(part);
      const refusal =
        limits.refuseAsFull() ??
        (await limits.refuseStored(exchange, principal, { bytes, name: 'addition' }));
      if (refusal) return refusal;
      const isAdded = await store.addPart({ ...named.change(call, held), part, bytes });
      if (!isAdded) return conversationNotFound(call.id);
      return jsonText(listText(placedItems([{ ...part, part: 0 }]), false));
    });
  }

  async listItems(call: Call): Answer {
    const query = readPageQuery(call.exchange.query);
    if (query instanceof Refusal) return query;
    const parts = await this.#load(call);
    if (parts instanceof Refusal) return parts;
    const page = itemsPage(parts, query);
    return page instanceof Refusal ? page : jsonText(page);
  }

  async showItem(call: Call): Answer {
    const parts = await this.#load(call);
    if (parts instanceof Refusal) return parts;
    const item = itemOf(call, parts);
    return item instanceof Refusal ? item : jsonText(item.text);
  }

  removeItem(call: Call): Answer {
    const { named, store } = this.#parts;
    return this.#changing(call, async (held, found) => {
      const parts = await named.load(call, found);
      if (parts instanceof Refusal) return parts;
      const item = itemOf(call, parts);
      if (item instanceof Refusal) return item;
      const part = removeItem(item);
      const bytes = partBytes(item.part) - partBytes(part);
      const isRemoved = await store.replacePart({ ...named.change(call, held), part, bytes });
      return isRemoved ? jsonReply(200, view(found)) : conversationNotFound(call.id);
    });
  }

  /** Holds a conversation while it is changed. */
  async #changing(call: Call, work: (held: HeldConversation, found: StoredConversation) => Answer): Answer {
    const { named } = this.#parts;
    const held = await named.hold(call, call.id);
    if (held instanceof Refusal) return held;
    try {
      const found = await this.#find(call);
      return found instanceof Refusal ? found : await work(held, found);
    } finally {
      await named.release(held);
    }
  }

  async #find(call: Call): Promise<StoredConversation | Refusal> {
    return (await this.#parts.store.findConversation(this.#wanted(call))) ?? conversationNotFound(call.id);
  }

  async #load(call: Call): Promise<NumberedPart[] | Refusal> {
    const found = await this.#find(call);
    return found instanceof Refusal ? found : this.#parts.named.load(call, found);
  }

  #wanted({ id, principal }: Call) {
    return { id, keyId: principal.apiKey.id, now: this.#parts.clock.now() };
  }
}

function itemOf({ exchange }: Call, parts: readonly NumberedPart[]): PlacedItem | Refusal {
  const wanted = exchange.params.item ?? '';
  return (
    placedItems(parts).find(({ id }) => id === wanted) ??
    new Refusal('not_found', {
      param: 'item_id',
      message: `There is no item '${printable(wanted, 80)}' in this conversation.`,
    })
  );
}
