/** A call of a tool by the model. `input` is JSON text. */
export type ToolCall = { id: string; name: string; input: string };

export type UserTurn = {
  role: 'user';
  text: string;
  /** Data URLs. */
  images: readonly string[];
  /** Its request failed, so it is not sent again. */
  hasFailed?: true;
};

export type AssistantTurn = {
  role: 'assistant';
  text: string;
  thinking: string;
  calls: readonly ToolCall[];
  /** The answer in its own dialect, which also has what only that dialect can say. */
  own?: { dialect: DialectId; content: unknown };
  /** The part that arrived before the request failed. */
  hasFailed?: true;
};

export type ToolTurn = {
  role: 'tool';
  results: readonly { id: string; name: string; text: string }[];
};

export type Turn = UserTurn | AssistantTurn | ToolTurn;

export type DialectId = 'messages' | 'responses' | 'chat' | 'gemini';

export type ToolDefinition = { name: string; description: string; schema: Record<string, unknown> };

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

export const emptyAnswer: AssistantTurn = { role: 'assistant', text: '', thinking: '', calls: [] };

export type Body = Readonly<Record<string, unknown>>;
