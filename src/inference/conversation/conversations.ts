import { Refusal } from '../../base/errors/refusal.ts';
import { MAX_BODY_BYTES } from '../../base/json/body-sizes.ts';
import { isLong } from '../../base/json/json-body.ts';
import { memberText } from '../../base/json/member-text.ts';
import type { MaybeLater } from '../../base/lib/maybe-later.ts';
import type { YieldQueue } from '../../base/lib/yield-queue.ts';
import type { StoredTurn } from '../../money/ledger/stored-response.ts';
import type { InferenceRequest } from '../../translation/contract/inference-request.ts';
import type { KeptForm } from '../../translation/contract/kept-form.ts';
import type { ConversationSource, KeptConversation, KeptRequest } from '../request/kept-conversation.ts';
import { ItemFinder } from '../responses/item-finder.ts';
import type { Loads } from '../responses/loads.ts';
import { responseNotFound } from '../responses/response-not-found.ts';
import type { ResponseStore } from '../responses/response-store.ts';
import { OVER_LIMIT, tooLong } from '../responses/too-long.ts';
import { beforeContinuation, openToken } from './continuation.ts';
import { conversationName, withoutName } from './conversation-name.ts';
import { type JoinedInput, joinInput } from './join-input.ts';
import { type CompletedRequest, type KeepingParts, keptConversation } from './kept-conversation.ts';
import { type ModelItems, turnForModel } from './model-items.ts';
import type { NamedConversations, OpenConversation } from './named-conversations.ts';
import { holdsRecaps, openRecaps } from './open-recaps.ts';
import { renumber } from './renumber.ts';
import { needsItems, resolveInput } from './resolve-input.ts';
import { withInput } from './with-input.ts';

/**
 * The longest chain of turns, more than an agent makes in a day. Every turn reads and keeps the whole chain.
 */
const MAX_TURNS = 2_000;

type ConversationsParts = KeepingParts & {
  store: ResponseStore;
  loads: Loads;
  yieldQueue: YieldQueue;
  /** The key that sealed the gateway's own compactions. */
  recapKey: Uint8Array;
  named: NamedConversations;
};

/** Prepares requests that continue stored responses. */
export class Conversations implements ConversationSource {
  readonly #parts: ConversationsParts;

  constructor(parts: ConversationsParts) {
    this.#parts = parts;
  }

  async prepare(order: KeptRequest): Promise<KeptConversation | Refusal> {
    const name = order.dialect.keepsAnswers?.hasItems && conversationName(order.request.body.value);
    if (name === undefined) return this.#continue(order);
    const { exchange, principal } = order;
    const caller = { exchange, principal };
    const { named: conversations } = this.#parts;
    const named = await (order.isRead ? conversations.read(caller, name) : conversations.open(caller, name));
    if (named instanceof Refusal) return named;
    try {
      const conversation = await this.#continue(
        { ...order, request: withoutName(order.request, name) },
        named,
      );
      if (conversation instanceof Refusal) await named.writer?.leave();
      return conversation;
    } catch (error) {
      await named.writer?.leave();
      throw error;
    }
  }

  async #continue(order: KeptRequest, named?: OpenConversation): Promise<KeptConversation | Refusal> {
    const { store, loads, clock, yieldQueue, recapKey } = this.#parts;
    const { exchange, principal, entry, dialect } = order;
    const form = dialect.keepsAnswers!; // only requests of such dialects are prepared
    const owner = { keyId: principal.apiKey.id, now: clock.now() };
    const keys = { keyId: owner.keyId, recapKey };
    const request = form.continuation ? openToken(order.request, form.continuation, keys) : order.request;
    if (request instanceof Refusal) return request;
    const { value } = request.body;
    const previousId = (value[form.previous] as string | null | undefined) ?? null; // as its schema says
    const loaded =
      previousId === null ? (named?.parts ?? []) : await this.#loadTurns(previousId, order, owner);
    if (loaded instanceof Refusal) return loaded;
    const isResumed = form.continuation !== undefined && value[form.continuation] != null;
    const turns = isResumed ? beforeContinuation(loaded) : loaded;
    if (turns.length > 0 || isLong(request.body)) await yieldQueue.next();
    const sent = form.inputList(memberText(request.body, 'input'));
    const model = entry.model.id;
    const finding = { store, loads, caller: { exchange, principal }, owner };
    const resolved =
      form.hasItems && needsItems(value.input)
        ? await resolveInput(sent, new ItemFinder(finding), model)
        : asSent(sent);
    if (resolved instanceof Refusal) return resolved;
    const turnsForModel = turns.map((turn) => turnForModel(turn, form.hasItems ? model : turn.model));
    const joined = joinInput(turnsForModel, { sent, resolved });
    const completing = this.#complete(request, joined, form);
    const completed = completing instanceof Promise ? await completing : completing;
    if (completed instanceof Refusal) return completed;
    return keptConversation(
      { order, named, previousId, sent, sentItems: itemsIn(value.input), joined, completed },
      this.#parts,
    );
  }

  /** Completes a request with the input that it continues. */
  #complete(
    request: InferenceRequest,
    joined: JoinedInput,
    { previous }: KeptForm,
  ): MaybeLater<CompletedRequest | Refusal> {
    const { wholeInput, losses, isUnchanged } = joined;
    if (isUnchanged && !holdsRecaps(request.body.value.input))
      return { request, modelItems: { items: wholeInput, losses }, isAsSent: true };
    const items = openRecaps(wholeInput, this.#parts.recapKey);
    if (items instanceof Refusal) return isUnchanged ? items : renumber(items, joined, previous);
    const modelItems = { items, losses };
    return withInput(request, modelItems, this.#parts.yieldQueue).then((completed) =>
      completed instanceof Refusal ? completed : { request: completed, modelItems, isAsSent: false },
    );
  }

  async #loadTurns(
    id: string,
    { request, exchange, principal, dialect }: KeptRequest,
    owner: { keyId: string; now: number },
  ): Promise<StoredTurn[] | Refusal> {
    const { store, loads } = this.#parts;
    const form = dialect.keepsAnswers!;
    if (!id.startsWith(form.idPrefix)) return responseNotFound(id, form);
    const size = await store.measureConversation({ ...owner, id });
    if (size === undefined) return responseNotFound(id, form);
    const { turns, bytes } = size;
    if (turns >= MAX_TURNS)
      return tooLong(`The conversation has ${turns} turns, which is the limit.`, form.previous);
    if (bytes + request.body.text.length > MAX_BODY_BYTES) return tooLong(OVER_LIMIT, form.previous);
    const refusal = await loads.claim({ exchange, principal }, bytes);
    return refusal ?? store.loadTurns({ ...owner, id });
  }
}

/** Counts the items of an input. A plain text counts as one message. */
function itemsIn(input: unknown): number {
  if (Array.isArray(input)) return input.length;
  return input === undefined ? 0 : 1;
}

const asSent = (items: string): ModelItems => ({ items, losses: [] });
