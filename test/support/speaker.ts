import type { Json } from './call.ts';

/** One request in words that both dialects have. */
export type Ask = {
  model: string;
  messages: Json[];
  stream: boolean;
  tools?: readonly string[];
  /** A tool's name, or any of them. */
  force?: string;
  schema?: Json;
  thinks?: boolean;
  maxTokens?: number;
};

/** What an answer said, in words that both dialects have. */
export type Seen = {
  text: string;
  thinking: string;
  calls: { name: string; input: Json }[];
  stop: 'end' | 'length' | 'tools' | string;
  usage: { input: number; output: number };
  /** The answer as a turn, as a client sends it back. */
  turn: Json;
};

/** A dialect, spoken by its official client. */
export type Speaker = {
  name: string;
  /** Whether it shows thinking, and gives back what proves that nobody changed it. */
  thoughts: 'proven' | 'unproven' | 'unseen';
  user(text: string, media?: 'image' | 'pdf'): Json;
  /** The turns that answer an answer's calls, in order. */
  results(seen: Seen, texts: readonly string[]): Json[];
  ask(ask: Ask): Promise<Seen>;
};

export const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
export const PDF = Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n').toString(
  'base64',
);

/** Every tool of these tests takes the same. */
export const toolSchema = {
  type: 'object' as const,
  properties: { place: { type: 'string' } },
  required: ['place'],
  additionalProperties: false,
};
