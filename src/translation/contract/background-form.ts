import type { Refusal } from '../../base/errors/refusal.ts';
import type { JsonObject } from '../../base/json/json-body.ts';
import type { AnswerIdentity } from './response-head.ts';

/** The states of an answer that is made in the background. The last four are final. */
export type BackgroundStatus = 'queued' | 'in_progress' | 'completed' | 'incomplete' | 'failed' | 'cancelled';

/** The facts about the answer that one event of a stream states. */
export type EventMeaning = {
  /** The number of the event, at which readers resume. */
  number?: number | undefined;
  /** The answer's object so far, as it was sent. */
  envelope?: string | undefined;
  /** The text of an item that is done. */
  item?: string | undefined;
  status?: BackgroundStatus | undefined;
};

/** The head of an answer that has not begun. */
type QueuedHead = AnswerIdentity & {
  body: { value: JsonObject };
  echo?: Readonly<Record<string, unknown>> | undefined;
};

/** The end of an answer that has no last event of its own. */
type BackgroundFailure = { items: readonly string[]; refusal: Refusal };

/** The objects and events of a dialect's answers that are made in the background. */
export type BackgroundForm = {
  /** The path of the dialect's endpoint. */
  path: string;
  /** Returns the object of an answer that waits. */
  queued(head: QueuedHead): string;
  /** Creates a reader of the data of one stream's events. */
  reader(): (data: string) => EventMeaning;
  /** Returns the number of an event, or undefined for a frame that is not an event. */
  numberOf(data: string): number | undefined;
  /** Returns the object with the status `in_progress`. */
  inProgress(envelope: string): string;
  /** Returns the object of an answer that failed, with the items that were done before. */
  failed(envelope: string, failure: BackgroundFailure): string;
  /** Returns the object of an answer that was cancelled, with the items that were done before. */
  cancelled(envelope: string, items: readonly string[]): string;
  /** Returns the events of a stream that fails before its first one, with the object of the failed answer. */
  failedStream(envelope: string, refusal: Refusal): string;
};
