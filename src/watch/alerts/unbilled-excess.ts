type Tokens = { input: number; output: number };

/**
 * More tokens than a request can use, as an upstream reported them, and the tokens that are billed instead.
 */
export type UnbilledExcess = {
  requestId: string;
  provider: string;
  model: string;
  reported: Tokens;
  billed: Tokens;
};
