import { WorkSlice, type YieldQueue } from '../lib/yield-queue.ts';
import { hasLoneSurrogate } from './lone-surrogate.ts';
import type { JsonBounds } from './measure-json.ts';
import { type JsonMember, memberBetween } from './scan-json.ts';

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const BACKSLASH = 92;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;

/** Pieces of about this length go to the runtime's own parser. Each takes a few tenths of a millisecond. */
const PIECE_LENGTH = 32 * 1024;
/** Reading the clock costs as much as a few characters. */
const STEPS_BETWEEN_LOOKS = 2_048;

/** An object that the parser fills. */
type Members = Record<string, unknown>;
/** A value that was parsed by itself, and its place. */
type LongValue = { value: unknown; start: number; end: number };

/** An open list or object. */
type Frame = {
  isList: boolean;
  start: number;
  /** Created once the list or object turns out to be longer than a piece. */
  value: unknown[] | Members | undefined;
  /** The start of the current part: after the last comma, or after the opening bracket. */
  partStart: number;
  /** The start of the parts that are not parsed yet. */
  groupStart: number;
  /** The colon after the part's key; -1 in a list, and before the colon. */
  colon: number;
  /** The current part's value, if it was long and is parsed already. */
  long: LongValue | undefined;
};

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
  readonly #frames: Frame[] = [];
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
      if (character === QUOTE) await this.#string();
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
    const [members, duplicate, values] = [this.#members, this.#duplicate, this.#values];
    return { value: this.#root as Members, members, duplicate, values };
  }

  #isTimeToLook(): boolean {
    return ++this.#steps >= STEPS_BETWEEN_LOOKS;
  }

  async #rest(): Promise<void> {
    this.#steps = 0;
    if (this.#slice.isOver) await this.#slice.giveWay();
  }

  get #top(): Frame {
    return this.#frames.at(-1)!;
  }

  #brokenBound(): keyof JsonBounds | undefined {
    if (this.#frames.length > this.#bounds.depth) return 'depth';
    if (this.#memberCount > this.#bounds.members) return 'members';
    return this.#values > this.#bounds.values ? 'values' : undefined;
  }

  #open(character: number): void {
    const start = this.#at;
    const inside = start + 1;
    const isList = character === OPEN_BRACKET;
    this.#values++;
    const frame = { isList, start, value: undefined, partStart: inside, groupStart: inside };
    this.#frames.push({ ...frame, colon: -1, long: undefined });
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
  #endPart(frame: Frame): void {
    if (this.#frames.length === 1) this.#noteMember(frame);
    const { long } = frame;
    if (!long) return;
    this.#requireSpace(long.end, this.#at);
    if (frame.isList) {
      this.#requireSpace(frame.partStart, long.start);
      (frame.value as unknown[]).push(long.value);
    } else {
      this.#requireSpace(frame.colon + 1, long.start);
      define(frame.value as Members, this.#keyOf(frame), long.value);
    }
    frame.long = undefined;
    frame.groupStart = this.#at + 1;
  }

  #noteMember(frame: Frame): void {
    const key = this.#keyOf(frame);
    if (this.#members.has(key)) this.#duplicate ??= key;
    this.#members.set(key, memberBetween(this.#text, frame.colon + 1, this.#at));
    this.#memberCount++;
  }

  #keyOf({ partStart, colon }: Frame): string {
    const key: unknown = colon < 0 ? undefined : JSON.parse(this.#text.slice(partStart, colon));
    if (typeof key !== 'string') throw new SyntaxError('Expected a key');
    if (!key.isWellFormed()) throw new LoneSurrogate();
    return key;
  }

  /** Parses the text before the part first, so that members keep their order. */
  #setLong(frame: Frame, long: LongValue): void {
    if (frame.long) throw new SyntaxError('Unexpected value');
    if (frame.groupStart < frame.partStart) this.#takeGroup(frame, frame.partStart - 1);
    containerOf(frame);
    frame.long = long;
  }

  /** Parses everything from the group's start to `end`, which is the end of a part. */
  #takeGroup(frame: Frame, end: number): void {
    const text = this.#text.slice(frame.groupStart, end);
    if (hasLoneSurrogate(text)) throw new LoneSurrogate();
    const value = containerOf(frame);
    if (frame.isList) {
      const parts = JSON.parse(`[${text}]`) as unknown[];
      if (parts.length === 0) throw new SyntaxError("Unexpected ','");
      for (const part of parts) (value as unknown[]).push(part);
    } else {
      const parts = JSON.parse(`{${text}}`) as Members;
      const keys = Object.keys(parts);
      if (keys.length === 0) throw new SyntaxError("Unexpected ','");
      for (const key of keys) define(value as Members, key, parts[key]);
    }
    frame.groupStart = end + 1;
    this.#steps = STEPS_BETWEEN_LOOKS;
  }

  /** Skips a string. A long string that is a value is parsed by itself. */
  async #string(): Promise<void> {
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
        from + PIECE_LENGTH < end - 1 ? betweenEscapes(text, from + PIECE_LENGTH, from - 1) : end - 1;
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

/** Half of a surrogate pair, written as an escape. */
export class LoneSurrogate extends Error {
  override readonly name = 'LoneSurrogate';
}

const isSpace = (character: number): boolean =>
  character === 32 || character === 10 || character === 13 || character === 9;

function containerOf(frame: Frame): unknown[] | Members {
  frame.value ??= frame.isList ? [] : {};
  return frame.value;
}

/** Defines the member as an own property, whatever its name is. */
function define(fields: Members, key: string, value: unknown): void {
  if (key !== '__proto__') fields[key] = value;
  else Object.defineProperty(fields, key, { value, writable: true, enumerable: true, configurable: true });
}

/** Reports whether an odd number of backslashes precedes `at`, inside the string that opens at `start`. */
function isEscaped(text: string, at: number, start: number): boolean {
  let before = at - 1;
  while (before > start && text.charCodeAt(before) === BACKSLASH) before--;
  return (at - 1 - before) % 2 === 1;
}

const MAX_ESCAPE = '\\u0000'.length;

/**
 * Returns the nearest index at or before `at` that is not inside an escape.
 * `start` must not be inside one. It looks back over one escape only: a search for the last backslash would
 * scan all preceding text for each piece.
 */
function betweenEscapes(text: string, at: number, start: number): number {
  const from = Math.max(start + 1, at - MAX_ESCAPE);
  const found = text.slice(from, at).lastIndexOf('\\');
  const backslash = from + found;
  if (found < 0 || isEscaped(text, backslash, start)) return at;
  const length = text[backslash + 1] === 'u' ? MAX_ESCAPE : 2;
  return backslash + length <= at ? at : backslash;
}
