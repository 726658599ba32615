import { WorkSlice, type YieldQueue } from '../lib/yield-queue.ts';
import {
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
} from './json-characters.ts';
import { cutBetweenEscapes, isEscaped } from './json-escapes.ts';
import {
  addPart,
  addParts,
  containerOf,
  type JsonFrame,
  type LongValue,
  type Members,
  openFrame,
} from './json-frame.ts';
import { hasLoneSurrogate, LoneSurrogate } from './lone-surrogate.ts';
import type { JsonBounds } from './measure-json.ts';
import { type JsonMember, memberBetween } from './scan-json.ts';

/** Pieces of about this length go to the runtime's own parser. Each takes a few tenths of a millisecond. */
const PIECE_LENGTH = 32 * 1024;
/** Reading the clock costs as much as a few characters. */
const STEPS_BETWEEN_LOOKS = 2_048;

export type SlicedJson = {
  value: Members;
  members: Map<string, JsonMember>;
  duplicate: string | undefined;
  /** The number of values in the text. */
  values: number;
};

/**
 * Parses the long JSON text of an object in slices that give way to other work. Short parts go to the
 * runtime's parser together with their neighbours. Only lists, objects and strings longer than a piece are
 * built here. Throws a SyntaxError, or returns the bound that the text breaks.
 */
export class SlicedParser {
  readonly #text: string;
  readonly #bounds: JsonBounds;
  readonly #slice: WorkSlice;
  readonly #frames: JsonFrame[] = [];
  readonly #members = new Map<string, JsonMember>();
  #duplicate: string | undefined;
  #at = 0;
  /** Every value but the first follows a comma, or opens a list or an object. */
  #values = 0;
  #memberCount = 0;
  #steps = 0;
  #root: unknown;

  constructor(text: string, bounds: JsonBounds, yieldQueue: YieldQueue) {
    this.#text = text;
    this.#bounds = bounds;
    this.#slice = new WorkSlice(yieldQueue);
  }

  async parse(): Promise<SlicedJson | keyof JsonBounds> {
    const text = this.#text;
    this.#at = this.#behindSpace(0);
    if (text[this.#at] !== '{') throw new SyntaxError('not an object');
    do {
      const character = text.charCodeAt(this.#at);
      if (character === QUOTE) await this.#takeString();
      else if (character === COMMA) this.#comma();
      else if (character === OPEN_BRACE || character === OPEN_BRACKET) this.#open(character);
      else if (character === CLOSE_BRACE || character === CLOSE_BRACKET) this.#close(character);
      else if (character === COLON) this.#colon();
      const broken = this.#brokenBound();
      if (broken) return broken;
      this.#at++;
      if (this.#isTimeToLook()) await this.#rest();
    } while (this.#frames.length > 0 && this.#at < text.length);
    if (this.#frames.length > 0) throw new SyntaxError('Unexpected end of the text');
    this.#requireSpace(this.#at, text.length);
    const members = this.#members;
    const duplicate = this.#duplicate;
    const values = this.#values;
    return { value: this.#root as Members, members, duplicate, values };
  }

  #isTimeToLook(): boolean {
    return ++this.#steps >= STEPS_BETWEEN_LOOKS;
  }

  async #rest(): Promise<void> {
    this.#steps = 0;
    if (this.#slice.isOver) await this.#slice.giveWay();
  }

  get #top(): JsonFrame {
    return this.#frames.at(-1)!;
  }

  #brokenBound(): keyof JsonBounds | undefined {
    if (this.#frames.length > this.#bounds.depth) return 'depth';
    if (this.#memberCount > this.#bounds.members) return 'members';
    return this.#values > this.#bounds.values ? 'values' : undefined;
  }

  #open(character: number): void {
    this.#values++;
    this.#frames.push(openFrame(character === OPEN_BRACKET, this.#at));
  }

  #colon(): void {
    const top = this.#top;
    if (top.isList || top.colon >= 0) throw new SyntaxError("Unexpected ':'");
    top.colon = this.#at;
  }

  #comma(): void {
    const top = this.#top;
    this.#values++;
    this.#endPart(top);
    if (this.#at - top.groupStart > PIECE_LENGTH) this.#takeGroup(top, this.#at);
    top.partStart = this.#at + 1;
    top.colon = -1;
  }

  #close(character: number): void {
    const frame = this.#top;
    if (frame.isList !== (character === CLOSE_BRACKET)) throw new SyntaxError('Unexpected closing bracket');
    const isEmpty = frame.partStart === frame.start + 1 && this.#behindSpace(frame.partStart) >= this.#at;
    const endsLong = frame.long !== undefined;
    if (!isEmpty) this.#endPart(frame);
    const isLong = frame.value !== undefined || this.#frames.length === 1;
    this.#frames.pop();
    if (!isLong) return;
    if (!isEmpty && !endsLong) this.#takeGroup(frame, this.#at);
    const value = containerOf(frame);
    const parent = this.#frames.at(-1);
    if (parent) this.#setLong(parent, { value, start: frame.start, end: this.#at + 1 });
    else this.#root = value;
  }

  /** Handles the comma or bracket after a part. */
  #endPart(frame: JsonFrame): void {
    if (this.#frames.length === 1) this.#noteMember(frame);
    const { long } = frame;
    if (!long) return;
    this.#requireSpace(long.end, this.#at);
    this.#requireSpace(frame.isList ? frame.partStart : frame.colon + 1, long.start);
    addPart(frame, frame.isList ? '' : this.#keyOf(frame), long.value);
    frame.long = undefined;
    frame.groupStart = this.#at + 1;
  }

  #noteMember(frame: JsonFrame): void {
    const key = this.#keyOf(frame);
    if (this.#members.has(key)) this.#duplicate ??= key;
    this.#members.set(key, memberBetween(this.#text, frame.colon + 1, this.#at));
    this.#memberCount++;
  }

  #keyOf({ partStart, colon }: JsonFrame): string {
    const key: unknown = colon < 0 ? undefined : JSON.parse(this.#text.slice(partStart, colon));
    if (typeof key !== 'string') throw new SyntaxError('Expected a key');
    if (!key.isWellFormed()) throw new LoneSurrogate();
    return key;
  }

  /** Parses the text before the part first, so that members keep their order. */
  #setLong(frame: JsonFrame, long: LongValue): void {
    if (frame.long) throw new SyntaxError('Unexpected value');
    if (frame.groupStart < frame.partStart) this.#takeGroup(frame, frame.partStart - 1);
    containerOf(frame);
    frame.long = long;
  }

  /** Parses everything from the group's start to `end`, which is the end of a part. */
  #takeGroup(frame: JsonFrame, end: number): void {
    const text = this.#text.slice(frame.groupStart, end);
    if (hasLoneSurrogate(text)) throw new LoneSurrogate();
    addParts(frame, text);
    frame.groupStart = end + 1;
    this.#steps = STEPS_BETWEEN_LOOKS;
  }

  /** Skips a string. A long string that is a value is parsed by itself. */
  async #takeString(): Promise<void> {
    const start = this.#at;
    const end = await this.#stringEnd(start);
    this.#at = end - 1;
    const top = this.#top;
    if (end - start <= PIECE_LENGTH || (!top.isList && top.colon < 0)) return;
    this.#setLong(top, { value: await this.#parseString(start, end), start, end });
  }

  /** Returns the index after the closing quote. */
  async #stringEnd(start: number): Promise<number> {
    const text = this.#text;
    let quote = start;
    do {
      quote = text.indexOf('"', quote + 1);
      if (quote < 0) throw new SyntaxError('Unterminated string');
      if (this.#isTimeToLook()) await this.#rest();
    } while (isEscaped(text, quote, start));
    return quote + 1;
  }

  async #parseString(start: number, end: number): Promise<string> {
    const text = this.#text;
    const pieces: string[] = [];
    for (let from = start + 1; from < end - 1; ) {
      const to =
        from + PIECE_LENGTH < end - 1 ? cutBetweenEscapes(text, from + PIECE_LENGTH, from - 1) : end - 1;
      pieces.push(JSON.parse(`"${text.slice(from, to)}"`) as string);
      from = to;
      await this.#rest();
    }
    const whole = pieces.join('');
    if (!whole.isWellFormed()) throw new LoneSurrogate();
    return whole;
  }

  #behindSpace(from: number): number {
    let at = from;
    while (isSpace(this.#text.charCodeAt(at))) at++;
    return at;
  }

  #requireSpace(from: number, to: number): void {
    if (this.#behindSpace(from) < to) throw new SyntaxError('Unexpected value');
  }
}

/** The parser of the runtime accepts no other whitespace. */
const isSpace = (character: number): boolean =>
  character === 32 || character === 10 || character === 13 || character === 9;
