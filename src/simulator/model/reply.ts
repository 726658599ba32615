/** A piece of text that is sent as one delta, with its token count. */
export type TokenRun = { text: string; tokens: number };

export type ReplyPart =
  | { kind: 'thinking'; pieces: TokenRun[]; signature: string }
  | { kind: 'text'; pieces: TokenRun[] }
  | { kind: 'refusal'; pieces: TokenRun[] }
  | SimulatorToolCall;

export type SimulatorToolCall = {
  kind: 'tool-call';
  name: string;
  namespace?: string | undefined;
  /** The arguments as JSON. A freeform tool has plain text. */
  pieces: TokenRun[];
  freeform: boolean;
};

export type SimulatorStop = 'end' | 'length' | 'stop-sequence' | 'tool-calls' | 'refusal';

export type SimulatorChoice = { parts: ReplyPart[]; stop: SimulatorStop; stopSequence?: string };

/** `input` includes cached input, and `output` includes thinking. */
export type SimulatorUsage = {
  input: number;
  cacheRead: number;
  cacheWrite: number;
  cacheLifetime: '5m' | '1h';
  output: number;
  thinking: number;
};

/** A summary of the prompt, which the client returns in place of the turns before it. */
export type SimulatorSummary = {
  pieces: TokenRun[];
  usage: SimulatorUsage;
  /** True if the answer has nothing else. */
  isAlone: boolean;
};

/** The answer to a prompt. Its usage excludes the usage of the summary. */
export type SimulatorReply = {
  choices: SimulatorChoice[];
  usage: SimulatorUsage;
  summary?: SimulatorSummary | undefined;
};

export const textOf = (part: { pieces: TokenRun[] }): string =>
  part.pieces.map((piece) => piece.text).join('');

export const tokensOf = (part: { pieces: TokenRun[] }): number =>
  part.pieces.reduce((sum, piece) => sum + piece.tokens, 0);
