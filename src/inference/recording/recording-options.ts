import type { Clock } from '../../base/lib/clock.ts';
import type { Booking } from '../../base/memory/booking.ts';
import type { BodyPiece } from '../../edge/http/reply.ts';
import type { RecordingRoom } from './recording-room.ts';
import type { RecordingStore } from './recording-store.ts';

/** The head of an answer. `type` is its content type. */
export type RecordedHead = { status: number; type: string };
export type RecordedBody = BodyPiece;

/** The settings of one recording, and the parts of the process that it uses. */
export type RecordingOptions = {
  requestId: string;
  isResumable: boolean;
  /** The text before the number of each frame's id. Undefined if frames have no ids. */
  idPrefix: string | undefined;
  /** The time for which the answer continues without a reader. */
  graceMs: number;
  /** The time for which retries get the answer. Undefined if none does. */
  replaysMs: number | undefined;
  streamsMs: number;
  room: RecordingRoom;
  store: RecordingStore;
  holder: string;
  clock: Clock;
  /** Other processes read the same store. */
  isShared: boolean;
  /** Opens a booking for frames that are not in the store yet. */
  openMemory(): Booking;
  /** The recording calls it when it could not write to the store that the answer is not valid. */
  onUnwritten(): void;
  onFailure(error: unknown): void;
};
