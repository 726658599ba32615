import type { JsonObject } from '../../../base/json/json-body.ts';
import { objectOf, textOf } from '../../../base/json/read-json.ts';
import { isObject } from '../../../base/lib/is-object.ts';
import { lookUp } from '../../../base/lib/records.ts';
import { countOf } from '../../framing/count-of.ts';

/** The size limit of an unfinished message. A failed response longer than any stored one would be useless. */
const MAX_UNFINISHED_LENGTH = 512 * 1024;

/** A finished item: the upstream's text, and the text shown to the client. */
export type DoneItem = { text: string; shown: string };

/** A message in progress with its contents so far. */
type Unfinished = { place: number; item: JsonObject; contents: Map<number, JsonObject> };

const growing: Record<string, { type: string; field: string }> = {
  'response.output_text.delta': { type: 'output_text', field: 'text' },
  'response.refusal.delta': { type: 'refusal', field: 'refusal' },
};

const placeOf = ({ output_index }: JsonObject): number => countOf(output_index) ?? 0;

/** Collects the output of a passing stream, in case its last event is missing or incomplete. */
export class OutputSoFar {
  readonly done: DoneItem[] = [];
  #unfinished: Unfinished | undefined;
  #length = 0;

  begin(event: JsonObject): void {
    const item = objectOf(event.item);
    if (item.type !== 'message') return;
    this.#unfinished = { place: placeOf(event), item, contents: new Map() };
    this.#length = 0;
  }

  grow(type: string, event: JsonObject): void {
    const content = lookUp(growing, type);
    const open = this.#unfinished;
    if (!content || open?.place !== placeOf(event) || this.#length > MAX_UNFINISHED_LENGTH) return;
    const delta = textOf(event.delta) ?? '';
    this.#length += delta.length;
    const index = countOf(event.content_index) ?? 0;
    const earlier = open.contents.get(index) ?? emptyContent(content);
    open.contents.set(index, { ...earlier, [content.field]: `${earlier[content.field]}${delta}` });
  }

  finish(event: JsonObject, item: DoneItem): void {
    this.done.push(item);
    if (this.#unfinished?.place === placeOf(event)) this.#unfinished = undefined;
  }

  /**
   * Returns the items of a broken answer, including a partial message.
   * Partial calls and thoughts are dropped.
   */
  broken(): string[] {
    const items = this.done.map(({ shown }) => shown);
    const { item, contents } = this.#unfinished ?? {};
    if (!isObject(item) || !contents?.size) return items;
    const content = [...contents].sort(([one], [other]) => one - other).map(([, each]) => each);
    return [...items, JSON.stringify({ ...item, status: 'incomplete', content })];
  }
}

const emptyContent = ({ type, field }: { type: string; field: string }): JsonObject =>
  type === 'output_text' ? { type, [field]: '', annotations: [], logprobs: [] } : { type, [field]: '' };
