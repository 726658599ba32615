import type {
  NewRecording,
  RecordedAnswer,
  RecordedPart,
  RecordingState,
} from '../inference/recording/recording-store.ts';
import type { CommonRow, RowValues } from './common-queries.ts';
import { flag, nullableText, number, text } from './row-columns.ts';

/** Returns the row of an answer that begins. The process that makes a joinable answer reads it too. */
export const newRecordingRow = (recording: NewRecording): RowValues => ({
  request_id: recording.requestId,
  key_id: recording.keyId,
  account_id: recording.accountId,
  path: recording.path,
  idempotency_key: recording.idempotencyKey,
  body_hash: recording.bodyHash,
  is_joinable: recording.isJoinable,
  is_resumable: recording.isResumable,
  has_ids: recording.hasIds,
  background_id: null,
  state: 'running' satisfies RecordingState,
  head: null,
  failure: null,
  parts: 0,
  bytes: 0,
  frames: 0,
  created_at: recording.createdAt,
  expires_at: recording.expiresAt,
  replays_until: 0,
  streams_until: 0,
  holder: recording.holder,
  held_until: recording.heldUntil,
  reader: recording.isJoinable ? recording.holder : null,
  read_until: recording.readUntil,
  followed_until: 0,
  is_delivered: false,
});

export const recordingOfRow = (row: CommonRow): RecordedAnswer => ({
  requestId: text(row, 'request_id'),
  keyId: text(row, 'key_id'),
  accountId: text(row, 'account_id'),
  path: text(row, 'path'),
  idempotencyKey: nullableText(row, 'idempotency_key'),
  bodyHash: text(row, 'body_hash'),
  isJoinable: flag(row, 'is_joinable'),
  isResumable: flag(row, 'is_resumable'),
  hasIds: flag(row, 'has_ids'),
  backgroundId: nullableText(row, 'background_id'),
  state: text<RecordingState>(row, 'state'),
  head: nullableText(row, 'head'),
  failure: nullableText(row, 'failure'),
  parts: number(row, 'parts'),
  frames: number(row, 'frames'),
  createdAt: number(row, 'created_at'),
  replaysUntil: number(row, 'replays_until'),
  streamsUntil: number(row, 'streams_until'),
  holder: text(row, 'holder'),
  heldUntil: number(row, 'held_until'),
  followedUntil: number(row, 'followed_until'),
});

export const recordedPartOfRow = (row: CommonRow): RecordedPart => ({
  part: number(row, 'part'),
  lastFrame: number(row, 'last_frame'),
  text: text(row, 'text'),
});
