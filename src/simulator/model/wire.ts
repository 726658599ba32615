import type { FormShape } from '../../base/forms/form-shape.ts';
import type { BadInput } from './bad-input.ts';
import type { Field } from './field.ts';
import type { Prompt } from './prompt.ts';
import type { SimulatorReply } from './reply.ts';
import type { Framing, SimulatorEvent } from './stream-event.ts';
import type { Tokenizer } from './tokenizer.ts';

export type WireId =
  | 'openai-chat'
  | 'openai-responses'
  | 'openai-completions'
  | 'openai-embeddings'
  | 'openai-audio'
  | 'openai-images'
  | 'openai-moderations'
  | 'cohere-rerank'
  | 'anthropic-messages'
  | 'google-generate'
  | 'google-interactions'
  | 'google-embeddings'
  | 'bedrock-converse';

/** The input of a wire for one answer. */
export type SimulatorExchange = {
  body: Field;
  /** The model name in the answer. */
  model: string;
  /** The action in the path, if the path has one (`converse-stream`). */
  action: string;
  query: URLSearchParams;
  createdSeconds: number;
  /** False if the answer omits its usage. */
  reportsUsage: boolean;
  /**
   * Prompts of this many tokens are compacted even without a request for it, on wires that have compactions.
   */
  compactAt?: number | undefined;
  embeddingDimensions: number;
  tokenizer: Tokenizer;
  plan(prompt: Prompt): SimulatorReply;
  /** Returns an id that depends on the request only. `index` distinguishes several ids. */
  id(prefix: string, index?: number): string;
};

/** A complete answer, for sending whole or as events. */
export type SimulatorAnswer = {
  streamed: boolean;
  body(): unknown;
  /** The whole answer, if it is not JSON. A list is sent with its length. */
  raw?(): { contentType: string; pieces: Iterable<Uint8Array> };
  events(): Iterable<SimulatorEvent>;
};

export type Failure = { status: number; message: string; param?: string | null; code?: string | null };

export type SimulatorWire = {
  id: WireId;
  /** Matches the path without its version prefix. It can have the groups `model` and `action`. */
  path: RegExp;
  /** The model of a request that names no model. Undefined if such a request is refused. */
  defaultModel?: string;
  /** The form that the wire takes. Undefined if the wire takes JSON. */
  form?: FormShape;
  framing: Framing;
  /** Returns the key of the request, from the place that this vendor reads. */
  credential(headers: Headers, query: URLSearchParams): string | undefined;
  answer(exchange: SimulatorExchange): SimulatorAnswer;
  failureBody(failure: Failure): unknown;
  failureHeaders?(failure: Failure): Record<string, string>;
  /** Returns the events of a failure in the middle of a stream. */
  failureEvents(failure: Failure): SimulatorEvent[];
};

export const failureOf = ({ message, param, code }: BadInput): Failure => ({
  status: 400,
  message,
  param,
  code,
});
