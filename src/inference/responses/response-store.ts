import type { StoredResponse, StoredTurn, Wanted } from '../../money/ledger/stored-response.ts';

/** How long a conversation is, from its first turn on. */
export type ConversationSize = { turns: number; bytes: number };

/** Bytes of what was sent, and of what a later turn hands back to a model of it. */
export type ResponseSizes = { envelope: number; turn: number };

export type Answered = { envelope: string } & Pick<StoredTurn, 'model' | 'output'>;

/** Places in a listing of all that the model was given; `to` is not among them. */
export type ListedRange = { from: number; to: number };

/** A JSON list that holds some of the listed items, the first of them at that place. */
export type ListedSection = {
  turnId: string;
  /** Null: the list stands in its turn. */
  part: number | null;
  /** A model wrote it: reasoning in it is not listed. */
  isOutput: boolean;
  /** The model that answered the turn. */
  model: string;
  first: number;
  items: number;
  bytes: number;
};

/** Where responses are kept. A turn outlives its response as long as a later one continues it. */
export type ResponseStore = {
  saveResponse(accountId: string, response: StoredResponse): Promise<void>;
  measureResponse(wanted: Wanted): Promise<ResponseSizes | undefined>;
  loadEnvelope(wanted: Wanted): Promise<string | undefined>;
  loadAnswered(wanted: Wanted): Promise<Answered | undefined>;
  measureConversation(wanted: Wanted): Promise<ConversationSize | undefined>;
  /** The turns up to that response and with it, the first one first; empty where there is no such response. */
  loadTurns(wanted: Wanted): Promise<StoredTurn[]>;
  /** How many items a listing of what the model was given has. */
  countListed(wanted: Wanted): Promise<number | undefined>;
  /** Where those of a range are; after `countListed`. */
  placeListed(wanted: Wanted, range: ListedRange): Promise<ListedSection[]>;
  loadSection(section: ListedSection): Promise<string | undefined>;
  /** The id of the newest response that has an item of this id. */
  findResponseOfItem(wanted: Wanted): Promise<string | undefined>;
  /** Whether there was one. */
  deleteResponse(wanted: Wanted): Promise<boolean>;
  /** Removes what has expired, up to `limit` of each kind, and says how many that were. */
  sweepResponses(options: { now: number; limit: number }): Promise<number>;
};
