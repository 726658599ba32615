/** What a client of any wire sees of an answer. */
export type Observed = {
  text: string;
  thinking: string;
  signature: string;
  calls: { name: string; input: unknown }[];
  stop: string;
  /** `input` is all input, `output` all output. */
  usage: { input: number; cached: number; output: number } | undefined;
};

export type SimulatorRequest = {
  text: string;
  model?: string;
  stream?: boolean;
  maxTokens?: number;
  stops?: string[];
  tools?: { name: string; schema: object }[];
  /** A tool's name, or one of `none` and `any`. */
  choice?: string;
  schema?: object;
  reasoning?: boolean;
  image?: string;
  document?: string;
  system?: string;
};
