import type { DialectId } from '../../app/chat-endpoints.ts';

/**
 * The parameters that the page sends apart from the conversation. Texts of numbers are as they were typed;
 * '' leaves the member out.
 */
export type Settings = {
  model: string;
  dialect: DialectId;
  stream: boolean;
  system: string;
  maxTokens: string;
  temperature: string;
  /** The stop sequences, one on each line. */
  stop: string;
  /** The effort of reasoning. '' leaves it to the model. */
  effort: string;
  /** Tools as JSON text. */
  tools: string;
  /** The JSON schema of the answer as text. '' leaves its form to the model. */
  schema: string;
  payAsYouGo: boolean;
  /** Keeps the response on the server. */
  store: boolean;
};
