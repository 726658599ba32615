/**
 * The turns of one request that are added to the conversation that it names. They are written with the
 * response if the request still holds the conversation. `input` and `output` are lists in the form that
 * models receive. The shown lists have the same items as clients see them.
 */
export type ConversationAddition = {
  /** The id of the conversation. */
  id: string;
  /** The request that holds the conversation. */
  holder: string;
  /** The new expiry of the conversation. */
  expiresAt: number;
  /** The time of `expiresAt`, rounded up to the step under which the account's stored bytes are counted. */
  until: number;
  /** The catalog id of the model that answered. */
  model: string;
  input: string;
  output: string;
  shownInput: string;
  shownOutput: string;
  /** The size of the addition, which counts against the account's storage. */
  bytes: number;
};
