import { Refusal } from '../../base/errors/refusal.ts';
import { MAX_BODY_BYTES } from '../../base/json/body-sizes.ts';
import { isLong, type JsonBody } from '../../base/json/json-body.ts';
import { memberText } from '../../base/json/member-text.ts';
import { parseBody, parseBodyAtOnce } from '../../base/json/parse-body.ts';
import { patchJson } from '../../base/json/patch-json.ts';
import type { Clock } from '../../base/lib/clock.ts';
import type { YieldQueue } from '../../base/lib/yield-queue.ts';
import type { StoredResponse, StoredTurn } from '../../money/ledger/stored-response.ts';
import type { InferenceRequest } from '../../translation/contract/inference-request.ts';
import { MAX_ITEMS } from '../../translation/protocols/responses/request-schema.ts';
import type { ConversationSource, KeptConversation, KeptRequest } from '../request/kept-conversation.ts';
import { ItemFinder } from '../responses/item-finder.ts';
import { joinLists } from '../responses/item-texts.ts';
import type { Loads } from '../responses/loads.ts';
import { responseNotFound } from '../responses/response-not-found.ts';
import type { ResponseStore } from '../responses/response-store.ts';
import { countInput } from '../responses/split-list.ts';
import { OVER_LIMIT, tooLong } from '../responses/too-long.ts';
import { beforeContinuation, openToken } from './continuation.ts';
import { conversationName, withoutName } from './conversation-name.ts';
import { type ForModel, itemsForAnother, turnForModel } from './items-for-model.ts';
import { keepAnswer } from './keep-answer.ts';
import type { NamedConversations, OpenConversation } from './named-conversations.ts';
import { holdsRecaps, openRecaps } from './open-recaps.ts';
import { renumber } from './renumber.ts';
import { needsItems, resolveInput } from './resolve-input.ts';

/**
 * The longest chain of turns, more than an agent makes in a day. Every turn reads and keeps the whole chain.
 */
const MAX_TURNS = 2_000;

type ConversationsParts = {
  store: ResponseStore;
  clock: Clock;
  loads: Loads;
  yieldQueue: YieldQueue;
  /** The key that sealed the gateway's own compactions. */
  recapKey: Uint8Array;
  named: NamedConversations;
  /** Encrypts the content of an answer, if it is stored encrypted. */
  seal(response: StoredResponse): StoredResponse;
};

/** Prepares requests that continue stored responses. */
export class Conversations implements ConversationSource {
  readonly #store: ResponseStore;
  readonly #clock: Clock;
  readonly #loads: Loads;
  readonly #yieldQueue: YieldQueue;
  readonly #recapKey: Uint8Array;
  readonly #named: NamedConversations;
  readonly #seal: ConversationsParts['seal'];

  constructor({ store, clock, loads, yieldQueue, recapKey, named, seal }: ConversationsParts) {
    this.#seal = seal;
    this.#named = named;
    this.#recapKey = recapKey;
    this.#yieldQueue = yieldQueue;
    this.#store = store;
    this.#clock = clock;
    this.#loads = loads;
  }

  async prepare(order: KeptRequest): Promise<KeptConversation | Refusal> {
    const name = order.dialect.keepsAnswers?.hasItems && conversationName(order.request.body.value);
    if (name === undefined) return this.#continue(order);
    const { exchange, principal } = order;
    const caller = { exchange, principal };
    const named = await (order.isRead ? this.#named.read(caller, name) : this.#named.open(caller, name));
    if (named instanceof Refusal) return named;
    try {
      const conversation = await this.#continue(
        { ...order, request: withoutName(order.request, name) },
        named,
      );
      if (conversation instanceof Refusal) await named.leave?.();
      return conversation;
    } catch (error) {
      await named.leave?.();
      throw error;
    }
  }

  async #continue(keptRequest: KeptRequest, named?: OpenConversation): Promise<KeptConversation | Refusal> {
    const { exchange, principal, entry, dialect } = keptRequest;
    const form = dialect.keepsAnswers!;
    const keys = { keyId: principal.apiKey.id, recapKey: this.#recapKey };
    const request = form.continuation
      ? openToken(keptRequest.request, form.continuation, keys)
      : keptRequest.request;
    if (request instanceof Refusal) return request;
    const { previous } = form;
    const model = entry.model.id;
    const { value } = request.body;
    const owner = { keyId: principal.apiKey.id, now: this.#clock.now() };
    const previousId = (value[previous] as string | null | undefined) ?? null;
    const loaded =
      previousId === null ? (named?.parts ?? []) : await this.#loadTurns(previousId, keptRequest, owner);
    if (loaded instanceof Refusal) return loaded;
    const isContinued = form.continuation !== undefined && value[form.continuation] != null;
    const earlier = isContinued ? beforeContinuation(loaded) : loaded;
    if (earlier.length > 0 || isLong(request.body)) await this.#yieldQueue.next();
    const sent = form.inputList(memberText(request.body, 'input'));
    const caller = { exchange, principal };
    const finder = new ItemFinder({ store: this.#store, loads: this.#loads, caller, owner });
    const resolved =
      form.hasItems && needsItems(value.input) ? await resolveInput(sent, finder, model) : asSent(sent);
    if (resolved instanceof Refusal) return resolved;
    const { items: input } = resolved;
    const isAlone = input === sent && earlier.length === 0;
    const parts = [
      ...earlier.map((turn) => turnForModel(turn, form.hasItems ? model : turn.model)),
      resolved,
    ];
    const losses = parts.flatMap((part) => part.losses);
    const whole = isAlone ? input : joinLists(parts.map(({ items }) => items));
    const isAsSent = isAlone && !holdsRecaps(value.input);
    const items = isAsSent ? whole : openRecaps(whole, this.#recapKey);
    if (items instanceof Refusal) return isAlone ? items : renumber(items, { whole, input, previous });
    const completed = isAsSent ? request : await this.#withInput(request, { items, losses });
    if (completed instanceof Refusal) return completed;
    // A response that is continued without its conversation has the whole input.
    const own = named ? whole : input;
    const inputItems = own === sent ? itemsIn(value.input) : countInput(own);
    const record = {
      exchange,
      principal,
      id: keptRequest.id,
      previousId,
      input: own,
      inputItems,
      wholeInput: whole,
      hasItems: form.hasItems,
    };
    return {
      request: completed,
      forAnother: () => requestForAnother(completed, { items, losses }),
      append: named?.append && ((answer, model) => named.append!(named.addition!({ input, answer, model }))),
      leave: named?.leave,
      keep: (answer, servedModel) => {
        const addition = named?.addition?.({ input, answer, model: servedModel });
        const storedTurn = keepAnswer(answer, { ...record, servedModel, now: this.#clock.now(), addition });
        return storedTurn && this.#seal(storedTurn);
      },
      explain: (refusal) => (isAsSent ? refusal : renumber(refusal, { whole, input, previous })),
    };
  }

  async #withInput(request: InferenceRequest, forModel: ForModel): Promise<InferenceRequest | Refusal> {
    const whole = wholeText(request, forModel);
    if (whole instanceof Refusal) return whole;
    await this.#yieldQueue.next();
    return withBody(request, await parseBody(whole, this.#yieldQueue), forModel);
  }

  async #loadTurns(
    id: string,
    { request, exchange, principal, dialect }: KeptRequest,
    owner: { keyId: string; now: number },
  ): Promise<StoredTurn[] | Refusal> {
    const form = dialect.keepsAnswers!;
    if (!id.startsWith(form.idPrefix)) return responseNotFound(id, form);
    const size = await this.#store.measureConversation({ ...owner, id });
    if (size === undefined) return responseNotFound(id, form);
    const { turns, bytes } = size;
    if (turns >= MAX_TURNS)
      return tooLong(`The conversation has ${turns} turns, which is the limit.`, form.previous);
    if (bytes + request.body.text.length > MAX_BODY_BYTES) return tooLong(OVER_LIMIT, form.previous);
    const refusal = await this.#loads.claim({ exchange, principal }, bytes);
    return refusal ?? this.#store.loadTurns({ ...owner, id });
  }
}

/** Counts the items of an input. A plain text counts as one message. */
function itemsIn(input: unknown): number {
  if (Array.isArray(input)) return input.length;
  return input === undefined ? 0 : 1;
}

const asSent = (items: string): ForModel => ({ items, losses: [] });

/** Clients send back reasoning that the requested model encrypted. Another model cannot read it. */
function requestForAnother(
  request: InferenceRequest,
  { items, losses }: ForModel,
): InferenceRequest | Refusal {
  if (!items.includes('"reasoning"')) return request;
  const forAnother = itemsForAnother(items);
  return withInput(request, { items: forAnother.items, losses: [...losses, ...forAnother.losses] });
}

/** Returns the request with another input. */
function withInput(request: InferenceRequest, forModel: ForModel): InferenceRequest | Refusal {
  const whole = wholeText(request, forModel);
  return whole instanceof Refusal ? whole : withBody(request, parseBodyAtOnce(whole), forModel);
}

function wholeText({ body }: InferenceRequest, { items: input }: ForModel): string | Refusal {
  const whole = patchJson(body.text, body.members, { input });
  return Buffer.byteLength(whole) > MAX_BODY_BYTES ? tooLong(OVER_LIMIT) : whole;
}

function withBody(
  request: InferenceRequest,
  body: JsonBody | Refusal,
  { losses }: ForModel,
): InferenceRequest | Refusal {
  if (body instanceof Refusal) return tooLong('The conversation contains too many values.');
  const items = body.value.input as unknown[];
  if (items.length > MAX_ITEMS) return tooLong(`The conversation has more than ${MAX_ITEMS} items.`);
  return { ...request, body, losses };
}
