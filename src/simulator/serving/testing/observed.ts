/** The parts of an answer that a client of any wire sees. */
export type Observed = {
  text: string;
  thinking: string;
  signature: string;
  calls: { name: string; input: unknown }[];
  stop: string;
  /** `input` includes cached input, and `output` includes thinking. */
  usage: { input: number; cached: number; output: number } | undefined;
};

export type SimulatorRequest = {
  text: string;
  model?: string;
  stream?: boolean;
  maxTokens?: number;
  stops?: string[];
  tools?: { name: string; schema: object }[];
  /** A tool's name, `none` or `any`. */
  choice?: string;
  schema?: object;
  reasoning?: boolean;
  image?: string;
  document?: string;
  system?: string;
};
