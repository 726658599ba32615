import type { Json } from './call.ts';

/** One request, in terms that all dialects share. */
export type Ask = {
  model: string;
  messages: Json[];
  stream: boolean;
  tools?: readonly string[];
  /** The name of a tool, or any tool. */
  force?: string;
  schema?: Json;
  thinks?: boolean;
  maxTokens?: number;
};

/** The content of an answer, in terms that all dialects share. */
export type SpokenAnswer = {
  text: string;
  thinking: string;
  calls: { name: string; input: Json }[];
  stop: 'end' | 'length' | 'tools' | string;
  usage: { input: number; output: number };
  /** The answer as a turn that a client sends back. */
  turn: Json;
};

/** A dialect, used through its official client. */
export type Speaker = {
  name: string;
  /**
   * The form in which the dialect shows reasoning: with a proof that it is unchanged, without one, or not at
   * all.
   */
  thoughts: 'proven' | 'unproven' | 'unseen';
  user(text: string, media?: 'image' | 'pdf'): Json;
  /** Returns the turns that answer an answer's calls, in order. */
  results(seen: SpokenAnswer, texts: readonly string[]): Json[];
  ask(ask: Ask): Promise<SpokenAnswer>;
};

export const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
export const PDF = Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n').toString(
  'base64',
);

/** The parameters of every tool in these tests. */
export const toolSchema = {
  type: 'object' as const,
  properties: { place: { type: 'string' as const } },
  required: ['place'],
  additionalProperties: false,
};
