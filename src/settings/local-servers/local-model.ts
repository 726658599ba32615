/** A model as its server describes it. */
export type LocalModel = {
  /** The server's name for the model. */
  name: string;
  /** `null` means a chat model. */
  outputDimensions: number | null;
  contextWindow: number;
  capabilities: { tools: boolean; reasoning: boolean; vision: boolean };
};

/** The context window if the server reports none. No current model has a smaller one. */
export const MIN_WINDOW = 8_192;

/** Returns a valid number of tokens, or undefined. */
export const asTokens = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : undefined;
