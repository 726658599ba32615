/** A model as its server describes it. */
export type LocalModel = {
  /** The server's own name of it. */
  name: string;
  /** Null: a chat model. */
  outputDimensions: number | null;
  contextWindow: number;
  capabilities: { tools: boolean; reasoning: boolean; vision: boolean };
};

/** Of what no server says how much fits: no served model has less today. */
export const SMALLEST_WINDOW = 8_192;

/** A figure that makes sense as a number of tokens. */
export const asTokens = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : undefined;
