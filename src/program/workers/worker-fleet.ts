import type { Fleet, FleetTopic, WorkerAnswer } from '../../watch/observability/fleet.ts';
import type { WorkerAssignment } from './worker-assignment.ts';
import type { ToSupervisor, ToWorker } from './worker-message.ts';

/** The channel to the supervisor. */
export type SupervisorChannel = {
  send(message: ToSupervisor): void;
  onMessage(receive: (message: ToWorker) => void): void;
};

/** Longer than the supervisor waits for the other workers. */
const TIMEOUT_MS = 2_000;

/** Asks the other workers through the supervisor. */
export class WorkerFleet implements Fleet {
  readonly #assignment: WorkerAssignment;
  readonly #channel: SupervisorChannel;
  readonly #answers = new Map<FleetTopic, (detail: string) => string>();
  readonly #questions = new Map<number, (answers: readonly WorkerAnswer[]) => void>();
  #lastId = 0;

  constructor(assignment: WorkerAssignment, channel: SupervisorChannel) {
    this.#assignment = assignment;
    this.#channel = channel;
    channel.onMessage((message) => this.#receive(message));
  }

  answer(topic: FleetTopic, give: (detail: string) => string): void {
    this.#answers.set(topic, give);
  }

  async gather(topic: FleetTopic, detail: string): Promise<readonly WorkerAnswer[]> {
    const own = { worker: this.#assignment.number, answer: this.#answers.get(topic)?.(detail) ?? '' };
    const otherAnswers = await this.#ask(topic, detail);
    return [own, ...otherAnswers].toSorted((left, right) => left.worker - right.worker);
  }

  #ask(topic: FleetTopic, detail: string): Promise<readonly WorkerAnswer[]> {
    const id = ++this.#lastId;
    const { promise, resolve } = Promise.withResolvers<readonly WorkerAnswer[]>();
    const timer = setTimeout(() => resolve([]), TIMEOUT_MS);
    this.#questions.set(id, resolve);
    this.#channel.send({ kind: 'ask', id, topic, detail });
    return promise.finally(() => {
      clearTimeout(timer);
      this.#questions.delete(id);
    });
  }

  #receive(message: ToWorker): void {
    if (message.kind === 'answers') {
      this.#questions.get(message.id)?.(message.answers);
      return;
    }
    const answer = this.#answers.get(message.topic)?.(message.detail) ?? '';
    this.#channel.send({ kind: 'answer', id: message.id, answer });
  }
}
