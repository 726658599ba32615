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
  | 'anthropic-messages'
  | 'google-generate'
  | 'bedrock-converse';

/** What a wire is given to answer one request. */
export type SimulatorExchange = {
  body: Field;
  /** The model name to answer under. */
  model: string;
  /** What the path asks for, where the path says it (`converse-stream`). */
  action: string;
  query: URLSearchParams;
  createdSeconds: number;
  /** False when the upstream is to leave usage out. */
  reportsUsage: boolean;
  embeddingDimensions: number;
  tokenizer: Tokenizer;
  plan(prompt: Prompt): SimulatorReply;
  /** An id that is the same for the same request; `index` tells several apart. */
  id(prefix: string, index?: number): string;
};

/** A finished answer, to be sent whole or as events. */
export type SimulatorAnswer = { streamed: boolean; body(): unknown; events(): Iterable<SimulatorEvent> };

export type Failure = { status: number; message: string; param?: string | null; code?: string | null };

export type SimulatorWire = {
  id: WireId;
  /** Matches the path without its version prefix; may name `model` and `action`. */
  path: RegExp;
  framing: Framing;
  /** The key that the request carries, in the one place where this vendor looks for it. */
  credential(headers: Headers, query: URLSearchParams): string | undefined;
  answer(exchange: SimulatorExchange): SimulatorAnswer;
  failureBody(failure: Failure): unknown;
  failureHeaders?(failure: Failure): Record<string, string>;
  /** The same failure in the middle of a stream. */
  failureEvents(failure: Failure): SimulatorEvent[];
};

export const failureOf = ({ message, param, code }: BadInput): Failure => ({
  status: 400,
  message,
  param,
  code,
});
