import type { Form } from '../forms/form.ts';
import { SMALL_BODY_BYTES } from './body-sizes.ts';
import { type JsonMember, scanJson } from './scan-json.ts';

export type JsonObject = Record<string, unknown>;

/**
 * A client's body: the original text for forwarding, the parsed value, and the places of the top-level
 * members in the text.
 */
export type JsonBody = {
  text: string;
  value: JsonObject;
  readonly members: ReadonlyMap<string, JsonMember>;
  /** The form that the client sent instead of JSON. The text and the value then describe it. */
  readonly form?: Form | undefined;
  /** The text that the client sent, if nothing but its spelling differs from `text`. */
  readonly sent?: string | undefined;
};

/**
 * Reports whether each step of work on the body takes so long that it must give way to other requests in
 * between.
 */
export const isLong = ({ text }: Pick<JsonBody, 'text'>): boolean => text.length > SMALL_BODY_BYTES;

/** Makes a body of text whose parsed value is known, and perhaps the places of its members. */
export const knownBody = (
  text: string,
  value: JsonObject,
  members?: ReadonlyMap<string, JsonMember>,
): JsonBody => new ParsedBody(text, value, members);

/** Makes a body whose text is another spelling of what the client sent. */
export const respelledBody = (text: string, value: JsonObject, sent: string): JsonBody =>
  new ParsedBody(text, value, undefined, sent);

/** Makes the body of a form from the values of its fields. */
export const formBody = (value: JsonObject, form: Form): JsonBody => {
  const text = JSON.stringify(value);
  return { text, value, members: scanJson(text) as ReadonlyMap<string, JsonMember>, form };
};

class ParsedBody implements JsonBody {
  readonly text: string;
  readonly value: JsonObject;
  readonly sent: string | undefined;
  #members: ReadonlyMap<string, JsonMember> | undefined;

  constructor(text: string, value: JsonObject, members?: ReadonlyMap<string, JsonMember>, sent?: string) {
    this.text = text;
    this.value = value;
    this.sent = sent;
    this.#members = members;
  }

  /** Computed on first use: most requests change only the model's name. */
  get members(): ReadonlyMap<string, JsonMember> {
    // The text is neither too deep nor has duplicate members.
    this.#members ??= scanJson(this.text) as ReadonlyMap<string, JsonMember>;
    return this.#members;
  }
}
