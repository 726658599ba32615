import type { JsonObject } from '../../base/json/json-body.ts';
import { objectOf } from '../../base/json/read-json.ts';

/** The members of a prompt before its turns, and then the turns, in the order in which vendors cache them. */
const BEFORE_TURNS = ['tools', 'system', 'instructions'];
const TURNS = ['messages', 'input', 'prompt'];
/** Members that mark what is cached and belong to no prompt. Clients move them from turn to turn. */
const MARKS: ReadonlySet<string> = new Set(['cache_control']);

/** The roles of turns with which all conversations of one program begin. */
const INSTRUCTING: ReadonlySet<unknown> = new Set(['system', 'developer']);

/** The characters that are hashed at a time. */
const PIECE_LENGTH = 4_096;
const LONG_TEXT = 512;
/** The part of the first turn that distinguishes conversations. The rest of a long document may be another one's. */
const NAMING_LENGTH = 16 * PIECE_LENGTH;

/** What is hashed before the members that nearly every turn has. */
const frames: ReadonlyMap<string, string> = new Map(
  ['role', 'content', 'type', 'text'].map((name) => [name, `\n${name}\t`]),
);

/** Receives the hash of everything up to a place in a prompt. The length counts characters. */
export type PrefixVisitor = (hash: bigint, length: number) => void;

/** Hashes a prompt from its beginning on, so that equal hashes at equal lengths mean equal prefixes. */
export class PromptPrefix {
  readonly #visit: PrefixVisitor | undefined;
  #hash: bigint;
  #length = 0;
  #piece = '';
  #name: bigint | undefined;
  #nameDue = Number.POSITIVE_INFINITY;

  constructor(seed: number, visit?: PrefixVisitor) {
    this.#hash = BigInt(seed);
    this.#visit = visit;
  }

  /** The number of characters in the prompt. */
  get length(): number {
    return this.#length;
  }

  /** Returns a name that is equal for prompts of one conversation. Without a visitor, the rest of the prompt is not read. */
  read(body: JsonObject): bigint {
    for (const name of BEFORE_TURNS) this.#take(body[name]);
    for (const name of TURNS) if (body[name] !== undefined) this.#takeTurns(body[name]);
    this.#endPiece();
    return this.#name ?? this.#hash;
  }

  #takeTurns(turns: unknown): void {
    for (const turn of Array.isArray(turns) ? turns : [turns]) {
      if (this.#name !== undefined && !this.#visit) return;
      if (!INSTRUCTING.has(objectOf(turn).role))
        this.#nameDue = Math.min(this.#nameDue, this.#length + NAMING_LENGTH);
      this.#take(turn);
      this.#endPiece();
      if (this.#nameDue !== Number.POSITIVE_INFINITY) this.#name ??= this.#hash;
    }
  }

  #take(value: unknown): void {
    if (value === undefined) return;
    if (typeof value === 'string') this.#takeText(value);
    else if (typeof value !== 'object' || value === null) this.#piece += `${value}\0`;
    else if (Array.isArray(value)) for (const each of value) this.#take(each);
    else this.#takeMembers(value as JsonObject);
  }

  #takeMembers(members: JsonObject): void {
    for (const name in members) {
      if (MARKS.has(name)) continue;
      this.#piece += frames.get(name) ?? `\n${name}\t`;
      this.#take(members[name]);
    }
  }

  #takeText(text: string): void {
    this.#piece += '\0';
    if (text.length < LONG_TEXT) this.#piece += text;
    else {
      this.#endPiece(); // joining a long text to others would copy it
      for (let from = 0; from < text.length; from += PIECE_LENGTH) {
        this.#piece = text.length <= PIECE_LENGTH ? text : text.slice(from, from + PIECE_LENGTH);
        this.#endPiece();
      }
    }
    if (this.#piece.length >= PIECE_LENGTH) this.#endPiece();
  }

  #endPiece(): void {
    if (this.#piece === '') return;
    this.#hash = Bun.hash.xxHash3(this.#piece, this.#hash);
    this.#length += this.#piece.length;
    this.#piece = '';
    this.#visit?.(this.#hash, this.#length);
    if (this.#length >= this.#nameDue) this.#name ??= this.#hash;
  }
}
