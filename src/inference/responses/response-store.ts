import type { StoredResponse, StoredTurn } from '../../money/ledger/stored-response.ts';

/** Selects a key's response at a time. An expired response is not found. */
export type ResponseLookup = { id: string; keyId: string; now: number };

/** The length of a conversation from its first turn. */
export type ConversationSize = { turns: number; bytes: number };

/** The bytes of the sent response, and of the turn that a later request passes to a model. */
export type ResponseSizes = { envelope: number; turn: number };

/** The answer of a response: as it was sent, and as later requests pass it on. */
export type Answered = { envelope: string } & Pick<StoredTurn, 'model' | 'output'>;

/** A range of places in the listing of everything that the model was given. `to` is exclusive. */
export type ListedRange = { from: number; to: number };

/** A JSON list with some of the listed items. `first` is the place of its first item. */
export type ListedSection = {
  turnId: string;
  /** `null` means that the list is stored in its turn's row. */
  part: number | null;
  /** A model wrote the list, so its reasoning is not listed. */
  isOutput: boolean;
  /** The model that answered the turn. */
  model: string;
  first: number;
  items: number;
  bytes: number;
};

/** A response of an account, without its content. */
export type ListedResponse = {
  id: string;
  keyId: string;
  createdAt: number;
  expiresAt: number;
  /** The model that answered. */
  model: string;
  /** The bytes that count against the account's storage. */
  bytes: number;
  /** The response that this one continues, which can be deleted. */
  previousId: string | null;
  /** The length of the conversation up to this response. */
  turns: number;
};

/** A page of an account's responses, newest first. `after` is the last id of the previous page. */
export type ResponsePage = { accountId: string; now: number; limit: number; after?: string | undefined };

/** Stores responses. A turn outlives its response while a later turn continues it. */
export type ResponseStore = {
  saveResponse(accountId: string, response: StoredResponse): Promise<void>;
  measureResponse(wanted: ResponseLookup): Promise<ResponseSizes | undefined>;
  loadEnvelope(wanted: ResponseLookup): Promise<string | undefined>;
  loadAnswered(wanted: ResponseLookup): Promise<Answered | undefined>;
  measureConversation(wanted: ResponseLookup): Promise<ConversationSize | undefined>;
  /**
   * Loads the turns up to and including this response, oldest first. The list is empty if there is no such
   * response.
   */
  loadTurns(wanted: ResponseLookup): Promise<StoredTurn[]>;
  /** Returns the number of items in the listing of everything that the model was given. */
  countListed(wanted: ResponseLookup): Promise<number | undefined>;
  /** Returns the sections that hold a range of items. Call `countListed` first. */
  placeListed(wanted: ResponseLookup, range: ListedRange): Promise<ListedSection[]>;
  /** Loads the list of a section that was placed for a response of the key. */
  loadSection(section: ListedSection, keyId: string): Promise<string | undefined>;
  /** Returns the id of the newest response that has an item with this id. */
  findResponseOfItem(wanted: ResponseLookup): Promise<string | undefined>;
  /**
   * Lists the responses of all keys of an account. Returns undefined if `after` is not the id of one of them.
   */
  listResponses(page: ResponsePage): Promise<{ items: ListedResponse[]; hasMore: boolean } | undefined>;
  /** Finds a response of any key of an account. */
  findListedResponse(
    wanted: Pick<ResponsePage, 'accountId' | 'now'> & { id: string },
  ): Promise<ListedResponse | undefined>;
  /** Deletes a response. Returns true if it existed. */
  deleteResponse(wanted: ResponseLookup): Promise<boolean>;
  /** Removes expired rows, up to `limit` of each kind, and returns their number. */
  sweepResponses(options: { now: number; limit: number }): Promise<number>;
};
