import type { JsonObject } from '../../base/json/json-body.ts';
import { objectOf } from '../../base/json/read-json.ts';

/** The members of a prompt before its turns, in the order in which vendors cache them. */
const BEFORE_TURNS = ['tools', 'system', 'instructions', 'systemInstruction'];
/** The members with the turns of a prompt. */
const TURNS = ['messages', 'input', 'prompt', 'contents'];
/** Members that mark what is cached and belong to no prompt. Clients move them from turn to turn. */
const MARKS: ReadonlySet<string> = new Set(['cache_control']);

/** The roles of turns with which all conversations of one program begin. */
const INSTRUCTING: ReadonlySet<unknown> = new Set(['system', 'developer']);

/**
 * The characters of a long text that are hashed at a time, and those between two places at which prompts are
 * compared.
 */
const PIECE_LENGTH = 4_096;
/**
 * From this length on, the other hash costs less. It returns a number of 64 bits, which the runtime
 * allocates.
 */
const LONG_TEXT = 1_024;
/**
 * The part of the first turn that distinguishes conversations. The rest of a long document may be another
 * one's.
 */
const NAMING_LENGTH = 16 * PIECE_LENGTH;

const hashOf = (text: string, seed: number): number =>
  text.length < LONG_TEXT
    ? Bun.hash.xxHash32(text, seed)
    : Number(BigInt.asUintN(32, Bun.hash.xxHash3(text, BigInt(seed))));

/** The hashes of the members that most turns have. */
const knownNames: ReadonlyMap<string, number> = new Map(
  ['role', 'content', 'type', 'text', 'name', 'description'].map((name) => [name, hashOf(name, 0)]),
);
const MIX = 0x9e3779b1;

/** Receives the hash of everything up to a place in a prompt. The length counts characters. */
export type PrefixVisitor = (hash: number, length: number) => void;

/** Hashes a prompt from its beginning on, so that equal hashes at equal lengths mean equal prefixes. */
export class PromptPrefix {
  readonly #visit: PrefixVisitor | undefined;
  #hash: number;
  #length = 0;
  /** The place that was visited last. */
  #visited = 0;
  #name: number | undefined;
  #nameDue = Number.POSITIVE_INFINITY;

  constructor(seed: number, visit?: PrefixVisitor) {
    this.#hash = seed;
    this.#visit = visit;
  }

  /** The number of characters in the prompt. */
  get length(): number {
    return this.#length;
  }

  /**
   * Returns a name that is equal for prompts of one conversation. Without a visitor, the rest of the prompt
   * is not read.
   */
  read(body: JsonObject): number {
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
    else if (typeof value !== 'object' || value === null) this.#takeText(String(value));
    else if (Array.isArray(value)) for (const each of value) this.#take(each);
    else this.#takeMembers(value as JsonObject);
  }

  #takeMembers(members: JsonObject): void {
    for (const name in members) {
      if (MARKS.has(name)) continue;
      this.#hash = Math.imul(this.#hash ^ (knownNames.get(name) ?? hashOf(name, 0)), MIX) >>> 0;
      this.#length += name.length;
      this.#take(members[name]);
    }
  }

  #takeText(text: string): void {
    if (text.length <= PIECE_LENGTH) this.#add(text);
    else
      for (let from = 0; from < text.length; from += PIECE_LENGTH)
        this.#add(text.slice(from, from + PIECE_LENGTH));
  }

  #add(text: string): void {
    this.#hash = hashOf(text, this.#hash);
    this.#length += text.length + 1;
    if (this.#length - this.#visited >= PIECE_LENGTH) this.#endPiece();
  }

  #endPiece(): void {
    if (this.#length === this.#visited) return;
    this.#visited = this.#length;
    this.#visit?.(this.#hash, this.#length);
    if (this.#length >= this.#nameDue) this.#name ??= this.#hash;
  }
}
