/**
 * `made`: whole, and valid once its charge is in the ledger. `failed`: it ended with an error, and only its
 * readers still see it.
 */
export type RecordingState = 'running' | 'made' | 'failed';

/** The request of a key. Requests with the same path and body are equal. */
export type KeyedRequest = { keyId: string; path: string; bodyHash: string };

/** The names by which a recorded answer is found. */
export type RecordedName = KeyedRequest & { idempotencyKey: string | null };

/** An answer that retries and readers of its stream get. */
export type RecordedAnswer = RecordedName & {
  requestId: string;
  accountId: string;
  /** True if retries without an idempotency key can join the answer. */
  isJoinable: boolean;
  isResumable: boolean;
  /** True if the frames have ids. Readers of other streams count the frames. */
  hasIds: boolean;
  /** The response in the background that the request has begun. */
  backgroundId: string | null;
  state: RecordingState;
  /** The status and the content type as JSON. `null` means that they are not known yet. */
  head: string | null;
  /** The refusal as JSON, if the request was refused. */
  failure: string | null;
  /** The number of complete parts. */
  parts: number;
  /** The number of frames in them. */
  frames: number;
  createdAt: number;
  replaysUntil: number;
  streamsUntil: number;
  holder: string;
  heldUntil: number;
  followedUntil: number;
};

/** An answer with which a recording begins. */
export type NewRecording = Pick<
  RecordedAnswer,
  | keyof RecordedName
  | 'requestId'
  | 'accountId'
  | 'isJoinable'
  | 'isResumable'
  | 'hasIds'
  | 'createdAt'
  | 'holder'
  | 'heldUntil'
> & { readUntil: number; expiresAt: number };

/**
 * A part of an answer. `lastFrame` is the number of its last frame, counted from 1. A whole answer is one
 * part without frames.
 */
export type RecordedPart = { part: number; lastFrame: number; text: string };

/** Names an answer, and the process that makes it. */
export type HeldRecording = { requestId: string; holder: string };

/** The end of an answer. */
export type RecordingEnd = {
  state: 'made' | 'failed';
  failure: string | null;
  backgroundId: string | null;
  replaysUntil: number;
  streamsUntil: number;
};

/**
 * `replays`: what retries get again. `streams`: what can be read again. `accountId` `null` means all
 * accounts.
 */
export type TrimBound = { kind: 'replays' | 'streams'; accountId: string | null; maxBytes: number };

/** A part before the store has numbered it. */
export type WrittenPart = Omit<RecordedPart, 'part'>;

/** The parts that are written together, and the end if they are the last. */
export type WrittenParts = {
  parts: readonly WrittenPart[];
  head: string | null;
  end?: RecordingEnd | undefined;
};

/** The parts from `from` up to `parts`, without those whose frames are not after `frame`. */
export type PartsAfter = { frame: number; parts: number; from: number };

/** Stores recorded answers. One process makes an answer, and any process can read it. */
export type RecordingStore = {
  /** Adds an answer, or returns the one that has the same idempotency key. */
  begin(recording: NewRecording): Promise<RecordedAnswer | undefined>;
  find(requestId: string): Promise<RecordedAnswer | undefined>;
  /** Makes the process the reader of an answer that no client reads and none has got whole. */
  claimUnread(
    request: KeyedRequest,
    claim: { reader: string; readUntil: number; now: number },
  ): Promise<RecordedAnswer | undefined>;
  /**
   * Adds parts, and the end if it is known, in one transaction. Returns false if the answer is not there any
   * more.
   */
  write(held: HeldRecording, written: WrittenParts): Promise<boolean>;
  /** Loads the next parts, a few at a time. */
  loadParts(requestId: string, wanted: PartsAfter): Promise<RecordedPart[]>;
  /** Notes that the reader has left, or has got the whole answer. */
  leave(read: { requestId: string; reader: string; isDelivered: boolean }): Promise<void>;
  /** Extends what a process makes and reads. */
  renew(holder: string, until: { heldUntil: number; readUntil: number }): Promise<void>;
  /** Notes that a client of another process reads the answer. */
  follow(requestId: string, until: number): Promise<void>;
  /** Frees the idempotency key of an answer that is no longer valid. No retry finds it any more. */
  release(requestId: string): Promise<void>;
  remove(requestId: string): Promise<void>;
  /** Forgets who made and read answers in processes that have ended. */
  leaveOthers(holder: string, now: number): Promise<void>;
  /**
   * Removes the oldest answers beyond a number of bytes. A stream that can still be read loses only its
   * replays.
   */
  trim(bound: TrimBound): Promise<void>;
  sweepRecordings(options: { now: number; limit: number }): Promise<number>;
};
