import { Refusal } from '../../base/errors/refusal.ts';
import { MAX_BODY_BYTES } from '../../base/json/body-sizes.ts';
import { sliceJson } from '../../base/json/slice-json.ts';
import type { Clock } from '../../base/lib/clock.ts';
import { printable } from '../../base/schema/printable.ts';
import type { ConversationAddition } from '../../money/ledger/conversation-addition.ts';
import type { FinishedAnswer } from '../../translation/contract/finished-answer.ts';
import type { LoadCaller, Loads } from '../responses/loads.ts';
import { OVER_LIMIT, tooLong } from '../responses/too-long.ts';
import type { ConversationHolds, HeldConversation } from './conversation-holds.ts';
import type {
  ConversationChange,
  ConversationPart,
  ConversationStore,
  NumberedPart,
  StoredConversation,
  WantedConversation,
} from './conversation-store.ts';
import { shownItems } from './shown-items.ts';
import { storedExpiry } from './stored-expiry.ts';

export type NamedConversationsParts = {
  store: ConversationStore;
  holds: ConversationHolds;
  loads: Loads;
  clock: Clock;
};

/** More items than a request can have. */
const PLACES_OF_A_PART = 100_000;

/** Counts the bytes of a part. Lists that are shown as they are count once. */
export const partBytes = ({ input, output, shownInput, shownOutput }: ConversationPart): number =>
  [input, output, shownInput, shownOutput].reduce((sum, text) => sum + Buffer.byteLength(text), 0);

/** Changes a conversation that a request holds. */
type ConversationWriter = {
  /** Returns the addition of the request's input and of its answer. */
  addition(added: Added): ConversationAddition;
  append(addition: ConversationAddition): Promise<void>;
  /** Lets other requests change the conversation. */
  leave(): Promise<void>;
};

/** A conversation that a request continues. `writer` is undefined for a request that only reads. */
export type OpenConversation = {
  parts: readonly NumberedPart[];
  writer?: ConversationWriter;
};

/** Opens the conversations that requests name. */
export class NamedConversations {
  readonly #parts: NamedConversationsParts;

  constructor(parts: NamedConversationsParts) {
    this.#parts = parts;
  }

  /** Loads a conversation, without holding it. */
  async read(caller: LoadCaller, id: string): Promise<OpenConversation | Refusal> {
    const wanted = this.#wanted(caller, id);
    const conversation = await this.#parts.store.findConversation(wanted);
    if (!conversation) return conversationNotFound(id);
    const parts = await this.load(caller, conversation);
    return parts instanceof Refusal ? parts : { parts };
  }

  /** Loads a conversation and holds it until the request has ended. */
  async open(caller: LoadCaller, id: string): Promise<OpenConversation | Refusal> {
    const held = await this.hold(caller, id);
    if (held instanceof Refusal) return held;
    const { holds } = this.#parts;
    const parts = await this.#loadHeld(caller, held);
    if (parts instanceof Refusal) return parts;
    const place = nextPlace(parts);
    const writer: ConversationWriter = {
      addition: (added) => this.#addition(caller, held, { ...added, place }),
      append: (addition) => this.#append(addition),
      leave: () => holds.leave(held),
    };
    return { parts, writer };
  }

  /** Holds a conversation for a request, which may hold it already. */
  async hold(caller: LoadCaller, id: string): Promise<HeldConversation | Refusal> {
    const { store, holds } = this.#parts;
    const holder = caller.exchange.requestId;
    const held = await holds.take({ id, keyId: caller.principal.apiKey.id, holder });
    if (held) return held;
    const conversation = await store.findConversation(this.#wanted(caller, id));
    return conversation ? new Refusal('conversation_locked') : conversationNotFound(id);
  }

  release(held: HeldConversation): Promise<void> {
    return this.#parts.holds.leave(held);
  }

  /** Loads the parts of a conversation, with their memory booked. */
  async load(caller: LoadCaller, { id, stored }: StoredConversation): Promise<NumberedPart[] | Refusal> {
    if (stored > 2 * MAX_BODY_BYTES) return tooLong(OVER_LIMIT, 'conversation');
    const { store, loads } = this.#parts;
    return (await loads.claim(caller, stored)) ?? store.loadParts(this.#wanted(caller, id));
  }

  /** Loads a conversation that the request holds. It is given up if that fails. */
  async #loadHeld(caller: LoadCaller, held: HeldConversation): Promise<NumberedPart[] | Refusal> {
    const { store, holds } = this.#parts;
    try {
      const conversation = await store.findConversation(this.#wanted(caller, held.id));
      const parts = conversation ? await this.load(caller, conversation) : conversationNotFound(held.id);
      if (parts instanceof Refusal) await holds.leave(held);
      return parts;
    } catch (error) {
      await holds.leave(held);
      throw error;
    }
  }

  /** Returns the change by which a request extends the life of a conversation. */
  change({ exchange }: LoadCaller, { id, holder }: HeldConversation): ConversationChange {
    return { id, holder, ...storedExpiry(exchange, this.#parts.clock.now()) };
  }

  #wanted({ principal }: LoadCaller, id: string): WantedConversation {
    return { id, keyId: principal.apiKey.id, now: this.#parts.clock.now() };
  }

  #addition(
    caller: LoadCaller,
    held: HeldConversation,
    { input, answer, model, place }: Added & { place: number },
  ): ConversationAddition {
    const part = {
      model,
      input,
      output: answer.items,
      shownInput: shownItems(input, held.id, place),
      shownOutput: sliceJson(answer.envelope, ['output']) ?? '[]',
    };
    return { ...this.change(caller, held), ...part, bytes: partBytes(part) };
  }

  async #append(addition: ConversationAddition): Promise<void> {
    const { id, holder, expiresAt, until, bytes, ...part } = addition;
    await this.#parts.store.addPart({ id, holder, expiresAt, until, part, bytes });
  }
}

/** The input that a request has given to a model, and its answer. */
type Added = { input: string; answer: FinishedAnswer; model: string };

/**
 * Returns the place of the next item, for its id. Places are never used twice, since parts are only added.
 */
export const nextPlace = (parts: readonly Pick<NumberedPart, 'part'>[]): number =>
  ((parts.at(-1)?.part ?? -1) + 1) * PLACES_OF_A_PART;

/** Builds the refusal for a conversation that this key does not have. */
export const conversationNotFound = (id: string): Refusal =>
  new Refusal('not_found', {
    param: 'conversation',
    message: `There is no conversation '${printable(id, 80)}': it is unknown, was deleted or has expired.`,
  });
