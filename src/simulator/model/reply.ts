/** A run of text that travels as one delta; `tokens` is what the tokenizer says that it costs. */
export type Piece = { text: string; tokens: number };

export type ReplyPart =
  | { kind: 'thinking'; pieces: Piece[]; signature: string }
  | { kind: 'text'; pieces: Piece[] }
  | { kind: 'refusal'; pieces: Piece[] }
  | ToolCallPart;

export type ToolCallPart = {
  kind: 'tool-call';
  name: string;
  /** The arguments as JSON, or plain text for a freeform tool. */
  pieces: Piece[];
  freeform: boolean;
};

export type Stop = 'end' | 'length' | 'stop-sequence' | 'tool-calls' | 'refusal';

export type Choice = { parts: ReplyPart[]; stop: Stop; stopSequence?: string };

/** `input` and `output` are whole: cached input and thinking are parts of them. */
export type Usage = {
  input: number;
  cacheRead: number;
  cacheWrite: number;
  cacheLifetime: '5m' | '1h';
  output: number;
  thinking: number;
};

export type Reply = { choices: Choice[]; usage: Usage };

export const textOf = (part: { pieces: Piece[] }): string => part.pieces.map((piece) => piece.text).join('');

export const tokensOf = (part: { pieces: Piece[] }): number =>
  part.pieces.reduce((sum, piece) => sum + piece.tokens, 0);
