import type { Json } from '../call.ts';

/** `text`: as in the answer, or serialized if the protocol has values. */
export type SaidCall = {
  /** Absent if the vendor gives calls no ids. */
  id?: string;
  name: string;
  input: { text: string; isExact: boolean };
  isFreeform: boolean;
};

/** The content of an answer, read without the codecs. */
export type Said = {
  text: string;
  refusal: string;
  thinking: string;
  calls: SaidCall[];
  /** The value that the vendor expects back unchanged. */
  tokens: string[];
  /** The kinds of the blocks that only their vendor understands. */
  opaque: string[];
  /** Totals, including cached input and reasoning. */
  usage: { input: number; output: number } | undefined;
};

/** The objects of a stream in order, or the one object of a whole answer. */
export type ReadSaid = (objects: readonly Json[]) => Said;

export const nothingSaid = (): Said => ({
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
