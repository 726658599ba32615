import type { Json } from '../call.ts';

/** A call of a tool. `input.text` is the text of the answer, or is serialized if the protocol has values. */
export type ContentCall = {
  /** Undefined if the vendor gives calls no ids. */
  id?: string;
  name: string;
  input: { text: string; isExact: boolean };
  isFreeform: boolean;
};

/** The content of an answer, read without the codecs. */
export type AnswerContent = {
  text: string;
  refusal: string;
  thinking: string;
  calls: ContentCall[];
  /** The values that the vendor expects back unchanged. */
  tokens: string[];
  /** The kinds of the blocks that only their vendor understands. */
  opaque: string[];
  /** Totals, including cached input and reasoning. */
  usage: { input: number; output: number } | undefined;
};

/** Reads the objects of a stream in order, or the one object of a whole answer. */
export type ReadContent = (objects: readonly Json[]) => AnswerContent;

export const emptyContent = (): AnswerContent => ({
  text: '',
  refusal: '',
  thinking: '',
  calls: [],
  tokens: [],
  opaque: [],
  usage: undefined,
});

export const textInput = (text: string) => ({ text: text.trim() === '' ? '{}' : text, isExact: true });
export const valueInput = (value: unknown) => ({ text: JSON.stringify(value ?? {}), isExact: false });
