/**
 * A conversation of a key. `parts` is the number of its additions, `stored` the bytes that count against the
 * account's storage.
 */
export type StoredConversation = {
  id: string;
  keyId: string;
  accountId: string;
  createdAt: number;
  expiresAt: number;
  /** The JSON text of an object. */
  metadata: string;
  stored: number;
  parts: number;
};

/**
 * One addition: a list of items that was given, and a list that a model answered. Both are JSON texts in the
 * form that models receive. The shown lists are the same items as clients see them.
 */
export type ConversationPart = {
  /** The model that answered. It is empty if no model answered. */
  model: string;
  input: string;
  output: string;
  shownInput: string;
  shownOutput: string;
};

export type NumberedPart = ConversationPart & { part: number };

/** Selects a key's conversation at a time. Expired ones do not exist. */
export type WantedConversation = { id: string; keyId: string; now: number };

/** The request that may change a conversation, and the new expiry. */
export type ConversationChange = { id: string; holder: string; expiresAt: number; until: number };

/** Stores conversations. While a request holds one, only that request changes it. */
export type ConversationStore = {
  createConversation(conversation: StoredConversation & { until: number }): Promise<void>;
  findConversation(wanted: WantedConversation): Promise<StoredConversation | undefined>;
  /**
   * Holds a conversation for a request, or renews that. Returns false if another request holds it, or if it
   * does not exist.
   */
  holdConversation(wanted: WantedConversation & { holder: string; heldUntil: number }): Promise<boolean>;
  releaseConversation(held: { id: string; holder: string }): Promise<void>;
  /** Adds a part to a conversation that the request holds. Returns false if it no longer holds it. */
  addPart(change: ConversationChange & { part: ConversationPart; bytes: number }): Promise<boolean>;
  /** Replaces the items of a part. `bytes` is what the part shrinks by. */
  replacePart(change: ConversationChange & { part: NumberedPart; bytes: number }): Promise<boolean>;
  setMetadata(change: ConversationChange & { metadata: string; bytes: number }): Promise<boolean>;
  loadParts(wanted: WantedConversation): Promise<NumberedPart[]>;
  deleteConversation(wanted: WantedConversation): Promise<boolean>;
  /** Removes up to `limit` expired conversations, and returns their number. */
  sweepConversations(options: { now: number; limit: number }): Promise<number>;
};
