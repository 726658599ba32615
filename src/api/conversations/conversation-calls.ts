import { Refusal } from '../../base/errors/refusal.ts';
import type { JsonBody } from '../../base/json/json-body.ts';
import { memberText } from '../../base/json/member-text.ts';
import type { Clock } from '../../base/lib/clock.ts';
import { newId } from '../../base/lib/ids.ts';
import { printable } from '../../base/schema/printable.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { jsonReply, type Reply } from '../../edge/http/reply.ts';
import type { HeldConversation } from '../../inference/conversation/conversation-holds.ts';
import type {
  ConversationPart,
  ConversationStore,
  NumberedPart,
  StoredConversation,
} from '../../inference/conversation/conversation-store.ts';
import {
  conversationNotFound,
  type NamedConversations,
  nextPlace,
  partBytes,
} from '../../inference/conversation/named-conversations.ts';
import { shownItems } from '../../inference/conversation/shown-items.ts';
import { storedExpiry } from '../../inference/conversation/stored-expiry.ts';
import type { LoadCaller } from '../../inference/responses/loads.ts';
import type { StorageLimits } from '../../money/limits/storage-limits.ts';
import { STORED_ROW_BYTES } from '../../money/limits/stored-bytes.ts';
import { jsonTextReply } from '../responses/json-text-reply.ts';
import { itemsPage, listText, type PlacedItem, placedItems, readItemsQuery } from './conversation-pages.ts';
import { removeItem } from './remove-item.ts';

export type ConversationCallsParts = {
  store: ConversationStore;
  named: NamedConversations;
  limits: StorageLimits;
  clock: Clock;
};

/** A call of one of the routes, with the body if the route takes one. */
export type ConversationCall = LoadCaller & { exchange: Exchange; id: string; body: JsonBody };
export type ConversationAnswer = Promise<Reply | Refusal>;

const view = ({ id, createdAt, metadata }: StoredConversation) => ({
  id,
  object: 'conversation',
  created_at: Math.floor(createdAt / 1_000),
  metadata: JSON.parse(metadata) as unknown,
});

const NO_PART: ConversationPart = {
  model: '',
  input: '[]',
  output: '[]',
  shownInput: '[]',
  shownOutput: '[]',
};

/** Answers the calls of the routes for conversations. */
export class ConversationCalls {
  readonly #parts: ConversationCallsParts;

  constructor(parts: ConversationCallsParts) {
    this.#parts = parts;
  }

  async create(call: ConversationCall): ConversationAnswer {
    const { exchange, principal, body } = call;
    const { store, limits, clock } = this.#parts;
    const metadata = JSON.stringify(body.value.metadata ?? {});
    const bytes = body.text.length + STORED_ROW_BYTES;
    const refusal =
      limits.refuseAsFull({ kind: 'response', name: 'conversation' }) ??
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
      ...storedExpiry(exchange, now),
    };
    await store.createConversation(conversation);
    const hasItems = Array.isArray(body.value.items) && body.value.items.length > 0;
    const unadded = hasItems ? await this.#addFirstItems({ ...call, id: conversation.id }) : undefined;
    return unadded ?? jsonReply(200, view(conversation));
  }

  /** Adds the items of a new conversation. The conversation is deleted again if they cannot be added. */
  async #addFirstItems(call: ConversationCall): Promise<Refusal | undefined> {
    let isAdded = false;
    try {
      const added = await this.addItems(call);
      isAdded = !(added instanceof Refusal);
      return added instanceof Refusal ? added : undefined;
    } finally {
      if (!isAdded) await this.#parts.store.deleteConversation(this.#lookup(call));
    }
  }

  async show(call: ConversationCall): ConversationAnswer {
    const found = await this.#find(call);
    return found instanceof Refusal ? found : jsonReply(200, view(found));
  }

  update(call: ConversationCall): ConversationAnswer {
    return this.#change(call, async (held, found) => {
      const metadata = JSON.stringify(call.body.value.metadata ?? {});
      const { named, store } = this.#parts;
      const bytes = metadata.length - found.metadata.length;
      const isSet = await store.setMetadata({ ...named.change(call, held), metadata, bytes });
      return isSet ? jsonReply(200, view({ ...found, metadata })) : conversationNotFound(call.id);
    });
  }

  async remove(call: ConversationCall): ConversationAnswer {
    const { id } = call;
    const isDeleted = await this.#parts.store.deleteConversation(this.#lookup(call));
    return isDeleted
      ? jsonReply(200, { id, object: 'conversation.deleted', deleted: true })
      : conversationNotFound(id);
  }

  addItems(call: ConversationCall): ConversationAnswer {
    const { exchange, principal, body } = call;
    const { named, store, limits } = this.#parts;
    return this.#change(call, async (held, { parts }) => {
      const input = memberText(body, 'items');
      const place = nextPlace(parts > 0 ? [{ part: parts - 1 }] : []);
      const part = { ...NO_PART, input, shownInput: shownItems(input, held.id, place) };
      const bytes = partBytes(part);
      const refusal =
        limits.refuseAsFull({ kind: 'response', name: 'addition' }) ??
        (await limits.refuseStored(exchange, principal, { bytes, name: 'addition' }));
      if (refusal) return refusal;
      const isAdded = await store.addPart({ ...named.change(call, held), part, bytes });
      if (!isAdded) return conversationNotFound(call.id);
      return jsonTextReply(listText(placedItems([{ ...part, part: 0 }]), { hasMore: false }));
    });
  }

  async listItems(call: ConversationCall): ConversationAnswer {
    const query = readItemsQuery(call.exchange.query);
    if (query instanceof Refusal) return query;
    const parts = await this.#load(call);
    if (parts instanceof Refusal) return parts;
    return jsonTextReply(itemsPage(parts, query));
  }

  async showItem(call: ConversationCall): ConversationAnswer {
    const parts = await this.#load(call);
    if (parts instanceof Refusal) return parts;
    const item = itemOf(call, parts);
    return jsonTextReply(item instanceof Refusal ? item : item.text);
  }

  removeItem(call: ConversationCall): ConversationAnswer {
    const { named, store } = this.#parts;
    return this.#change(call, async (held, found) => {
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
  async #change(
    call: ConversationCall,
    work: (held: HeldConversation, found: StoredConversation) => ConversationAnswer,
  ): ConversationAnswer {
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

  async #find(call: ConversationCall): Promise<StoredConversation | Refusal> {
    return (await this.#parts.store.findConversation(this.#lookup(call))) ?? conversationNotFound(call.id);
  }

  async #load(call: ConversationCall): Promise<NumberedPart[] | Refusal> {
    const found = await this.#find(call);
    return found instanceof Refusal ? found : this.#parts.named.load(call, found);
  }

  #lookup({ id, principal }: ConversationCall) {
    return { id, keyId: principal.apiKey.id, now: this.#parts.clock.now() };
  }
}

function itemOf({ exchange }: ConversationCall, parts: readonly NumberedPart[]): PlacedItem | Refusal {
  const wanted = exchange.params.item ?? '';
  return (
    placedItems(parts).find(({ id }) => id === wanted) ??
    new Refusal('not_found', {
      param: 'item_id',
      message: `There is no item '${printable(wanted, 80)}' in this conversation.`,
    })
  );
}
