import type { ConversationAddition } from './conversation-addition.ts';

/**
 * The input and output of one request as JSON lists of items, in the form in which a later request sends them
 * to a model.
 */
export type StoredTurn = {
  /** The catalog id of the model that answered. */
  model: string;
  input: string;
  output: string;
};

/** The numbers of items that a listing of a turn shows. Reasoning items of the output are not counted. */
export type ItemCounts = { input: number; output: number };

/** A response as it is stored. */
export type StoredResponse = {
  id: string;
  /** The key that created the response. Other keys cannot see it. */
  keyId: string;
  createdAt: number;
  expiresAt: number;
  /** The response object, byte for byte as sent. */
  envelope: string;
  previousId: string | null;
  turn: StoredTurn;
  /** The numbers of listed items. Undefined in postings that an earlier version spooled. */
  counts?: ItemCounts;
  /**
   * All input from the first turn on. It is used if the previous turn was removed before the response is
   * saved.
   */
  wholeInput: string;
  /** Ids of items that do not name their response. */
  itemIds: readonly string[];
  /** The turns that are added to a conversation. Undefined if the request names no conversation. */
  addition?: ConversationAddition;
};
