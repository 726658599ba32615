/** What one request said and what came back, as a later request hands both to a model: JSON lists of items. */
export type StoredTurn = {
  /** The catalog's id of the model that answered. */
  model: string;
  input: string;
  output: string;
};

/** How many items of a turn a listing shows: of its output those that are no reasoning. */
export type ItemCounts = { input: number; output: number };

/** An answer as it is kept. */
export type StoredResponse = {
  id: string;
  /** The key that made it: no other one sees it. */
  keyId: string;
  createdAt: number;
  expiresAt: number;
  /** The response object, byte for byte as it was sent. */
  envelope: string;
  previousId: string | null;
  turn: StoredTurn;
  /** Undefined in what an earlier version spooled. */
  counts?: ItemCounts;
  /** All input from the first turn on, for when what it continues is gone by the time that it is saved. */
  wholeInput: string;
  /** Ids of its items that do not say by themselves which response they are of. */
  itemIds: readonly string[];
};

/** The response that a key asks for at a time; expired ones are not there. */
export type Wanted = { id: string; keyId: string; now: number };
