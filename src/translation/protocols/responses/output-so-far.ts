import type { JsonObject } from '../../../base/json/json-body.ts';
import { objectOf, textOf } from '../../../base/json/read-json.ts';
import { lookUp } from '../../../base/lib/records.ts';
import { countOf } from '../../framing/count-of.ts';

/** The size limit of an unfinished message. A failed response longer than any stored one would be useless. */
const MAX_UNFINISHED_LENGTH = 512 * 1024;

/** A finished item: the upstream's text, and the text shown to the client. */
export type DoneItem = { text: string; shown: string };

/** A message in progress with its contents so far. */
type Unfinished = { place: number; item: JsonObject; contents: Map<number, JsonObject> };

/** A content before its first text. `field`: the member with the text. */
type EmptyContent = { field: string; content: JsonObject };

/** The contents of a message, by the events that extend them. */
const growing: Readonly<Record<string, EmptyContent>> = {
  'response.output_text.delta': {
    field: 'text',
    content: { type: 'output_text', text: '', annotations: [], logprobs: [] },
  },
  'response.refusal.delta': { field: 'refusal', content: { type: 'refusal', refusal: '' } },
};

const placeOf = ({ output_index }: JsonObject): number => countOf(output_index) ?? 0;

/** Collects the output of a passing stream, in case its last event is missing or incomplete. */
export class OutputSoFar {
  readonly done: DoneItem[] = [];
  #unfinished: Unfinished | undefined;
  #length = 0;

  /** Reads an event before the end of its item. */
  add(type: string, event: JsonObject): void {
    if (type === 'response.output_item.added') this.#begin(event);
    else this.#grow(type, event);
  }

  #begin(event: JsonObject): void {
    const item = objectOf(event.item);
    if (item.type !== 'message') return;
    this.#unfinished = { place: placeOf(event), item, contents: new Map() };
    this.#length = 0;
  }

  #grow(type: string, event: JsonObject): void {
    const empty = lookUp(growing, type);
    const open = this.#unfinished;
    if (!empty || open?.place !== placeOf(event) || this.#length > MAX_UNFINISHED_LENGTH) return;
    const delta = textOf(event.delta) ?? '';
    this.#length += delta.length;
    const index = countOf(event.content_index) ?? 0;
    const earlier = open.contents.get(index) ?? empty.content;
    open.contents.set(index, { ...earlier, [empty.field]: `${earlier[empty.field]}${delta}` });
  }

  /** Adds the item that an event ends. */
  finish(event: JsonObject, item: DoneItem): void {
    this.done.push(item);
    if (this.#unfinished?.place === placeOf(event)) this.#unfinished = undefined;
  }

  /**
   * Returns the items of an answer that breaks off here, including a partial message.
   * Partial calls and thoughts are dropped.
   */
  itemsIfBroken(): string[] {
    const items = this.done.map(({ shown }) => shown);
    if (!this.#unfinished?.contents.size) return items;
    const { item, contents } = this.#unfinished;
    const content = [...contents].sort(([one], [other]) => one - other).map(([, each]) => each);
    return [...items, JSON.stringify({ ...item, status: 'incomplete', content })];
  }
}
