import { Refusal } from '../../base/errors/refusal.ts';
import { Unavailable } from '../../base/errors/unavailable.ts';
import { hashJsonValue } from '../../base/json/hash-json-value.ts';
import type { Reply } from '../../edge/http/reply.ts';
import { StaleCaller } from '../../money/auth/stale-caller.ts';
import type { AnswerRecorder } from '../request/answer-recorder.ts';
import type { ArrivedRequest } from '../request/arrived-request.ts';
import { JoinedAnswers, MADE_ANEW } from './joined-answers.ts';
import { type ArrivedOrder, newRecordingRow, openRecording } from './open-recording.ts';
import { type MadeReply, RecordedReply } from './recorded-reply.ts';
import { Recording } from './recording.ts';
import { recordingOrder } from './recording-order.ts';
import type { RecordingParts } from './recording-parts.ts';
import { RecordingSpace } from './recording-space.ts';
import type { RecordedAnswer } from './recording-store.ts';
import { RunningRecordings } from './running-recordings.ts';

/**
 * Records answers, so that a retry joins a running request or gets the finished answer again, and streams can
 * be read again.
 */
export class RecordedAnswers implements AnswerRecorder {
  readonly #parts: RecordingParts & { running: RunningRecordings; space: RecordingSpace };
  readonly #running: RunningRecordings;
  readonly #joined: JoinedAnswers;

  constructor(parts: RecordingParts) {
    this.#running = new RunningRecordings(parts);
    this.#parts = { ...parts, running: this.#running, space: new RecordingSpace(parts.store) };
    const { holder, byRequest: running, invalid } = this.#running;
    this.#joined = new JoinedAnswers({ ...parts, holder, running, invalid });
  }

  /** Names this process as the holder and the reader of answers. */
  get holder(): string {
    return this.#running.holder;
  }

  /** Forgets the answers of the process before this one. */
  start(): void {
    this.#running.start(() => this.#joined.count > 0);
  }

  /** Ends the answers that nobody waits for. */
  close(): void {
    this.#running.close();
  }

  /** Returns the recording of a request that runs in this process. */
  running(requestId: string): Recording | undefined {
    return this.#running.byRequest.get(requestId);
  }

  /** Answers a request with an earlier answer, or with the one that `make` makes and that is recorded. */
  answer(arrived: ArrivedRequest, make: () => MadeReply): MadeReply | undefined {
    const order = recordingOrder(arrived);
    if (order === undefined) return undefined;
    if (order instanceof Refusal) return Promise.resolve(order);
    return this.#answer({ ...arrived, order }, make);
  }

  async #answer(arrived: ArrivedOrder, make: () => MadeReply): MadeReply {
    let begun: Recording | undefined | Reply | Refusal;
    try {
      begun = await this.#begin(arrived);
    } catch (error) {
      if (!(error instanceof Unavailable) || error instanceof StaleCaller) throw error;
      // Without the store, answers are made and not recorded.
      this.#parts.onFailure(error);
    }
    if (begun === undefined) return make();
    return begun instanceof Recording ? this.#record(begun, arrived).make(make) : begun;
  }

  async #begin(arrived: ArrivedOrder): Promise<Recording | Reply | Refusal> {
    const { exchange, principal, body, order } = arrived;
    // Nothing asks whether the body of a request that is resumable only was sent before.
    const isNamed = order.isJoinable || order.idempotencyKey !== undefined;
    const bodyHash = isNamed ? await hashJsonValue(body.value) : '';
    const name = { keyId: principal.apiKey.id, path: exchange.path, bodyHash };
    if (order.isRetry) {
      const earlier = await this.#joined.claim(name);
      const joined = earlier && (await this.#joined.join(earlier, arrived));
      if (joined && joined !== MADE_ANEW) return joined;
    }
    for (;;) {
      const begun = await this.#beginHere(arrived, bodyHash);
      if (begun instanceof Recording) return begun;
      const joined = await this.#answerAgain(begun, arrived, bodyHash);
      if (joined !== MADE_ANEW) return joined;
    }
  }

  /** Begins a recording. Returns the earlier answer instead if the store has one of the same name. */
  async #beginHere(arrived: ArrivedOrder, bodyHash: string): Promise<Recording | RecordedAnswer> {
    const { store, clock, running } = this.#parts;
    const recording = openRecording(arrived, this.#parts);
    // It is known here before it is in the store, so that no second request of this process misses it.
    running.byRequest.set(recording.requestId, recording);
    let hasBegun = false;
    try {
      const row = newRecordingRow(arrived, { bodyHash, running, now: clock.now() });
      const earlier = await store.begin(row);
      hasBegun = !earlier;
      return earlier ?? recording;
    } finally {
      if (!hasBegun) running.byRequest.delete(recording.requestId);
    }
  }

  /** Answers a request whose idempotency key was used before. */
  async #answerAgain(earlier: RecordedAnswer, arrived: ArrivedOrder, bodyHash: string) {
    if (earlier.bodyHash !== bodyHash) {
      const isOver = await this.#joined.isOver(earlier);
      if (!isOver) return new Refusal('idempotency_conflict');
    } else {
      const joined = await this.#joined.join(earlier, arrived);
      if (joined !== MADE_ANEW) return joined;
    }
    const recording = this.running(earlier.requestId);
    if (recording?.hasFailed) await recording.ended;
    await this.#parts.store.release(earlier.requestId);
    return MADE_ANEW;
  }

  /** Adds the first client as a reader. Retries of SDKs can join once it has left. */
  #record(recording: Recording, { exchange, order }: ArrivedOrder): RecordedReply {
    return new RecordedReply(recording, {
      exchange,
      running: this.#running,
      onLeft: (end) => {
        if (order.isJoinable) this.#joined.onReaderLeft(recording.requestId, end);
      },
    });
  }
}
