import type { StoredResponse, Turn, Wanted } from './stored-response.ts';

/** How long a conversation is, from its first turn on. */
export type ConversationSize = { turns: number; bytes: number };

export type LoadedResponse = { envelope: string; turn: Turn; size: ConversationSize };

/** Where responses are kept. A turn outlives its response as long as a later one continues it. */
export type ResponseStore = {
  saveResponse(response: StoredResponse): Promise<void>;
  loadResponse(wanted: Wanted): Promise<LoadedResponse | undefined>;
  /** The turns up to that response and with it, the first one first; empty where there is no such response. */
  loadTurns(wanted: Wanted): Promise<Turn[]>;
  /** The id of the newest response that has an item of this id. */
  findResponseOfItem(wanted: Wanted): Promise<string | undefined>;
  /** Whether there was one. */
  deleteResponse(wanted: Wanted): Promise<boolean>;
  /** Removes what has expired, up to `limit` of each kind, and says how many that were. */
  sweepResponses(options: { now: number; limit: number }): Promise<number>;
};
