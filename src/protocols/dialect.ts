import type { KeyHeader } from '../auth/read-credential.ts';
import type { Usage } from '../canonical/usage.ts';
import type { Wire } from '../canonical/wire.ts';
import type { Refusal } from '../errors/refusal.ts';
import type { JsonBody } from '../http/json-body.ts';

/** What the house has to know of a request, whichever dialect it came in. */
export type InferenceRequest = { body: JsonBody; model: string; stream: boolean };

/** What an answer is labelled with in place of what the upstream calls itself. */
export type AnswerLabel = { id: string; model: string };

/** What a frame means to those who only watch it pass. */
export type FrameMeaning = {
  /** The frame to send on, or null where it stays here. */
  data: string | null;
  /** The answer itself begins with it: from here on there is no going back to another target. */
  begins: boolean;
  /** It belongs to the end, and waits until the usage is settled. */
  closes: boolean;
  /** The last one: whatever follows it is not read. */
  ends?: boolean;
  usage?: Usage;
};

/** Reads one stream's frames in turn. A frame that is none of the protocol's throws. */
export type FrameReader = (data: string) => FrameMeaning;

/** A protocol that clients speak, and how a wire of the same protocol carries it: untouched but for a patch. */
export type Dialect = {
  /** The wire that takes this dialect as it is. */
  wire: Wire;
  keyHeader: KeyHeader;
  idPrefix: string;
  /** The path behind a provider's base address. */
  upstreamPath: string;
  /** The request, or the first field at fault. */
  read(body: JsonBody): InferenceRequest | Refusal;
  /** The caller's own text with the upstream's name of the model, asking for usage. */
  patchRequest(request: InferenceRequest, upstreamModel: string): string;
  /** The upstream's own text with our id and the name that the client sent; throws where it is no answer. */
  patchAnswer(text: string, label: AnswerLabel): { text: string; usage: Usage | undefined };
  frameReader(request: InferenceRequest, label: AnswerLabel): FrameReader;
};
