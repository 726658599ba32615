/**
 * The input and output of one request as JSON lists of items, in the form in which a later
 * request sends them to a model.
 */
export type StoredTurn = {
  /** The catalog id of the model that answered. */
  model: string;
  input: string;
  output: string;
};

/** The numbers of items that a listing of a turn shows. Reasoning items of the output are not counted. */
export type ItemCounts = { input: number; output: number };

/** A response as stored. */
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
  /** Undefined in postings that an earlier version spooled. */
  counts?: ItemCounts;
  /**
   * All input from the first turn on. It is used if the previous turn was removed before the response is
   * saved.
   */
  wholeInput: string;
  /** Ids of items that do not name their response. */
  itemIds: readonly string[];
  /** The turns that the request adds to the conversation that it names. */
  addition?: ConversationAddition;
};

/**
 * An addition to a conversation, which is written with the response if the request still holds the
 * conversation. `input` and `output` are lists in the form that models receive, and the shown lists are the
 * same items as clients see them.
 */
export type ConversationAddition = {
  /** The id of the conversation. */
  id: string;
  /** The request that holds it. */
  holder: string;
  /** The new expiry of the conversation. */
  expiresAt: number;
  until: number;
  model: string;
  input: string;
  output: string;
  shownInput: string;
  shownOutput: string;
  bytes: number;
};

/** Selects a key's response at a time. Expired responses do not exist. */
export type ResponseLookup = { id: string; keyId: string; now: number };
