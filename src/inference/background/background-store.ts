import type { BackgroundStatus } from '../../translation/contract/background-form.ts';

/** A response that is made in the background. `envelope` is its present state as JSON. */
export type BackgroundResponse = {
  id: string;
  requestId: string;
  keyId: string;
  accountId: string;
  createdAt: number;
  expiresAt: number;
  /** The client's headers that change how the request is answered, as the JSON text of an object. */
  headers: string;
  body: string;
  status: BackgroundStatus;
  envelope: string;
  /** The bytes of the response that count against the account's storage. */
  stored: number;
  /** The number of times that the response was begun. */
  attempts: number;
  isCanceled: boolean;
};

/** Reports whether a response is still being made. */
export const isUnfinished = ({ status }: { status: BackgroundStatus }): boolean =>
  status === 'queued' || status === 'in_progress';

/** Selects a key's response. A response that has expired at `now` is not found. */
export type WantedResponse = { id: string; keyId: string; now: number };

/** Names an unfinished response, and the process that holds it. */
export type ResponseHold = { id: string; holder: string };

/** A part of a stream. `lastNumber` is the sequence number of its last frame. */
export type FramePart = { part: number; lastNumber: number; frames: string };

/** The next part of a stream, with the state after it. `envelope` is undefined if it has not changed. */
export type AddedFrames = Omit<FramePart, 'part'> & {
  status: BackgroundStatus;
  envelope: string | undefined;
};

/** The status of a response, and the number of its parts. The number falls if the response is made again. */
export type BackgroundProgress = { status: BackgroundStatus; parts: number };

/** The end of a response. Its envelope no longer changes. */
export type BackgroundEnd = {
  status: BackgroundStatus;
  envelope: string;
  stored: number;
  expiresAt: number;
  until: number;
};

/**
 * Stores responses that are made in the background. One process at a time holds and changes an unfinished
 * one.
 */
export type BackgroundStore = {
  createBackground(
    response: BackgroundResponse & { until: number; holder: string; heldUntil: number },
  ): Promise<void>;
  findBackground(wanted: WantedResponse): Promise<BackgroundResponse | undefined>;
  /** Finds the progress of a response without its texts, for readers that look often. */
  findProgress(wanted: WantedResponse): Promise<BackgroundProgress | undefined>;
  /** Lists unfinished responses without a holder at `now`, or with another holder than `notBy`. */
  listUnheld(at: { now: number } | { notBy: string }): Promise<string[]>;
  /** Holds a response that no process holds at `now`, and counts the attempt. */
  takeBackground(
    taking: ResponseHold & { now: number; heldUntil: number },
  ): Promise<BackgroundResponse | undefined>;
  /** Extends the holds of a process, and returns the ids of its responses that were canceled. */
  renewHeld(holder: string, heldUntil: number): Promise<string[]>;
  /** Gives up a response that the process holds. It can be taken at once, and the attempt does not count. */
  putBack(hold: ResponseHold): Promise<void>;
  /** Removes the frames of an earlier attempt. */
  dropFrames(hold: ResponseHold): Promise<void>;
  /** Adds frames. Returns false if the process no longer holds the response. */
  addFrames(hold: ResponseHold, added: AddedFrames): Promise<boolean>;
  /** Ends a response. Returns false if the process no longer holds it. */
  endBackground(hold: ResponseHold, end: BackgroundEnd): Promise<boolean>;
  /** Cancels an unfinished response. Returns false if there is none. */
  cancelBackground(wanted: WantedResponse): Promise<boolean>;
  /** Loads the next parts with frames after a sequence number, a few at a time. */
  loadFrames(id: string, after: number): Promise<FramePart[]>;
  /** Deletes a response. Returns false if there is none. */
  deleteBackground(wanted: WantedResponse): Promise<boolean>;
  /** Removes up to `limit` expired responses, and returns their number. */
  sweepBackground(options: { now: number; limit: number }): Promise<number>;
};

/** The part of the store that readers of a response use. */
export type BackgroundReader = Pick<BackgroundStore, 'findProgress' | 'loadFrames'>;
