import { Refusal } from '../errors/refusal.ts';
import type { BodyGate } from '../http/body-gate.ts';
import { MAX_BODY_BYTES } from '../http/body-sizes.ts';
import type { Exchange } from '../http/exchange.ts';
import { holdMemory } from '../http/hold-memory.ts';
import { type JsonBody, parseJsonObject } from '../http/json-body.ts';
import type { Clock } from '../lib/clock.ts';
import type { FinishedAnswer } from '../protocols/codec.ts';
import type { InferenceRequest } from '../protocols/dialect.ts';
import { patchJson } from '../protocols/patch-json.ts';
import { MAX_ITEMS } from '../protocols/responses/request-schema.ts';
import { ItemFinder } from './item-finder.ts';
import { inputList, joinLists } from './item-texts.ts';
import { type ForModel, itemsForAnother, turnForModel } from './items-for-model.ts';
import { keepAnswer } from './keep-answer.ts';
import { renumber } from './renumber.ts';
import { needsItems, resolveInput } from './resolve-input.ts';
import { responseNotFound } from './response-not-found.ts';
import type { ResponseStore } from './response-store.ts';
import type { StoredResponse, Turn } from './stored-response.ts';

/** A request in a dialect whose answers are kept. */
export type Inquiry = {
  exchange: Exchange;
  request: InferenceRequest;
  keyId: string;
  /** The catalog's id of the model that is asked. */
  model: string;
  /** Of the answer. */
  id: string;
};

export type Prepared = {
  /** With all that it continues and refers to. */
  request: InferenceRequest;
  /** The same for a model in place of the one that was asked. */
  forAnother: () => InferenceRequest | Refusal;
  /** What is kept of its answer, if anything. */
  keep: (answer: FinishedAnswer) => StoredResponse | undefined;
  /** A refusal of it in terms of what the client sent. */
  explain: (refusal: Refusal) => Refusal;
};

/** More links than an agent makes in a day: each has to be read and kept with every turn. */
const MAX_TURNS = 2_000;

const OVER_LIMIT = 'The conversation is over 10 MB long.';

const tooLong = (message: string): Refusal =>
  new Refusal('context_length_exceeded', { param: 'previous_response_id', message });

/** Conversations that go on from what is stored. */
export class Conversations {
  readonly #store: ResponseStore;
  readonly #clock: Clock;

  readonly #gate: BodyGate;

  constructor({ store, clock, gate }: { store: ResponseStore; clock: Clock; gate: BodyGate }) {
    this.#store = store;
    this.#clock = clock;
    this.#gate = gate;
  }

  async prepare(inquiry: Inquiry): Promise<Prepared | Refusal> {
    const { request, keyId, model } = inquiry;
    const { value } = request.body;
    const owner = { keyId, now: this.#clock.now() };
    const previousId = (value.previous_response_id as string | null | undefined) ?? null;
    const earlier = previousId === null ? [] : await this.#loadTurns(previousId, inquiry, owner);
    if (earlier instanceof Refusal) return earlier;
    const sent = inputList(memberText(request.body, 'input'));
    const finder = new ItemFinder(this.#store, owner);
    const resolved = needsItems(value.input) ? await resolveInput(sent, finder, model) : asSent(sent);
    if (resolved instanceof Refusal) return resolved;
    const { items: input } = resolved;
    const isAsSent = input === sent && earlier.length === 0;
    const parts = [...earlier.map((turn) => turnForModel(turn, model)), resolved];
    const losses = parts.flatMap((part) => part.losses);
    const whole = isAsSent ? input : joinLists(parts.map(({ items }) => items));
    const completed = isAsSent ? request : withInput(request, { items: whole, losses });
    if (completed instanceof Refusal) return completed;
    const record = { ...inquiry, previousId, input, wholeInput: whole };
    return {
      request: completed,
      forAnother: () => requestForAnother(completed, { items: whole, losses }),
      keep: (answer) => keepAnswer(answer, { ...record, now: this.#clock.now() }),
      explain: (refusal) => (isAsSent ? refusal : renumber(refusal, { whole, input })),
    };
  }

  async #loadTurns(
    id: string,
    { request, exchange }: Inquiry,
    owner: { keyId: string; now: number },
  ): Promise<Turn[] | Refusal> {
    const previous = await this.#store.loadResponse({ ...owner, id });
    if (previous === undefined) return responseNotFound(id);
    const { turns, bytes } = previous.size;
    if (turns >= MAX_TURNS) return tooLong(`The conversation is ${turns} turns long, which is the most.`);
    if (bytes + request.body.text.length > MAX_BODY_BYTES) return tooLong(OVER_LIMIT);
    return (await holdMemory(exchange, this.#gate, bytes)) ?? this.#store.loadTurns({ ...owner, id });
  }
}

function memberText({ text, members }: JsonBody, name: string): string {
  const member = members.get(name);
  return member ? text.slice(member.start, member.end) : '[]';
}

const asSent = (items: string): ForModel => ({ items, losses: [] });

/** Clients hand back what the model that they asked has sealed, which is of no use to another one. */
function requestForAnother(
  request: InferenceRequest,
  { items, losses }: ForModel,
): InferenceRequest | Refusal {
  if (!items.includes('"reasoning"')) return request;
  const others = itemsForAnother(items);
  return withInput(request, { items: others.items, losses: [...losses, ...others.losses] });
}

/** The same request over another input. */
function withInput(
  request: InferenceRequest,
  { items: input, losses }: ForModel,
): InferenceRequest | Refusal {
  const { text, members } = request.body;
  const whole = patchJson(text, members, { input });
  if (Buffer.byteLength(whole) > MAX_BODY_BYTES) return tooLong(OVER_LIMIT);
  const body = parseJsonObject(whole);
  if (body instanceof Refusal) return tooLong('The conversation holds too many values.');
  const items = body.value.input as unknown[];
  if (items.length > MAX_ITEMS) return tooLong(`The conversation has more than ${MAX_ITEMS} items.`);
  return { ...request, body, losses };
}
