import type { JsonObject } from '../../../base/json/json-body.ts';
import { DecodedEvents } from '../../canonical/decoded-events.ts';
import type { PartHead } from '../../canonical/event.ts';
import type { Citation } from '../../canonical/part.ts';

/** The head of a part that grows by deltas. */
export type GrowingHead = Extract<PartHead, { kind: 'text' | 'refusal' | 'thinking' | 'tool-call' }>;

/** A canonical part that has begun, and the content passed on so far. */
export type OpenPart = {
  index: number;
  /** The kind of its deltas. */
  kind: 'text' | 'refusal' | 'thinking' | 'tool-input';
  text: string;
  citations: number;
  isEnded: boolean;
};

/**
 * An output item of the upstream. A message has a part for each of its contents.
 * Another item has at most one.
 */
export type OpenItem = {
  item: JsonObject;
  parts: Map<number, OpenPart>;
  /** The number of the summary's section that grows. */
  summaryIndex: number;
  isDone: boolean;
};

/** The key of the only part of an item that is not a message. */
export const SOLE_PART = -1;

/** The state of one stream's decoder. */
export class DecoderState {
  readonly events = new DecodedEvents();
  readonly items = new Map<number, OpenItem>();
  itemCount = 0;
  hasCall = false;
  hasRefusal = false;

  /**
   * Begins an item. Some hosts give every item the index 0, so an open item with the same index ends here.
   */
  beginItem(outputIndex: number, item: JsonObject): OpenItem {
    for (const part of this.items.get(outputIndex)?.parts.values() ?? []) this.end(part);
    const begun: OpenItem = { item, parts: new Map(), summaryIndex: 0, isDone: false };
    this.items.set(outputIndex, begun);
    this.itemCount++;
    return begun;
  }

  openPart(item: OpenItem, key: number, head: GrowingHead): OpenPart {
    const kind = head.kind === 'tool-call' ? 'tool-input' : head.kind;
    const part: OpenPart = {
      index: this.events.beginPart(head),
      kind,
      text: '',
      citations: 0,
      isEnded: false,
    };
    this.hasCall ||= kind === 'tool-input';
    this.hasRefusal ||= kind === 'refusal';
    item.parts.set(key, part);
    return part;
  }

  grow(part: OpenPart, text: string): void {
    if (part.isEnded || text === '') return;
    part.text += text;
    this.events.growPart(part.index, { kind: part.kind, text });
  }

  /** Passes on the rest of a finished text. Some hosts send no deltas, so the rest may be the whole text. */
  complete(part: OpenPart, whole: string | undefined): void {
    if (whole?.startsWith(part.text)) this.grow(part, whole.slice(part.text.length));
  }

  cite(part: OpenPart, citation: Citation): void {
    if (part.isEnded) return;
    part.citations++;
    this.events.growPart(part.index, { kind: 'citation', citation });
  }

  end(part: OpenPart): void {
    if (part.isEnded) return;
    part.isEnded = true;
    this.events.endPart(part.index);
  }
}
