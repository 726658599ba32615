import type { Json } from '../call.ts';

/** `text`: as it stands in the answer, or written from a value where the protocol has values. */
export type SaidCall = {
  /** Absent where the vendor gives calls no ids. */
  id?: string;
  name: string;
  input: { text: string; isExact: boolean };
  isFreeform: boolean;
};

/** What an answer says, read in the plainest way: no code of the codecs is in it. */
export type Said = {
  text: string;
  refusal: string;
  thinking: string;
  calls: SaidCall[];
  /** What the vendor wants back unchanged. */
  tokens: string[];
  /** Kinds of the blocks that have a meaning at their vendor alone. */
  opaque: string[];
  /** Totals, what was cached and what was thought included. */
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
