/** A request that a client of any wire can send. */
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
