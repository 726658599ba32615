import type { WorkerAnswer } from '../../watch/observability/fleet.ts';
import type { ToSupervisor, ToWorker } from './worker-message.ts';

/** A worker that is busy for longer is left out of an answer. */
const PATIENCE_MS = 1_000;

type FleetQuestion = { answers: WorkerAnswer[]; waitsFor: Set<number>; done(): void };
type Peer = { number: number; send(message: ToWorker): void };

/** Passes a worker's question on to the other workers, and their answers back. */
export class FleetQuestions {
  readonly #peers: () => readonly Peer[];
  readonly #questions = new Map<number, FleetQuestion>();
  #lastId = 0;

  constructor(peers: () => readonly Peer[]) {
    this.#peers = peers;
  }

  /** Handles a message of a worker. Messages of other kinds have no effect. */
  receive(from: Peer, message: ToSupervisor): void {
    if (message.kind === 'ask') this.#ask(from, message);
    if (message.kind === 'answer') this.#addAnswer(from, message);
  }

  #ask(from: Peer, { id: askedId, topic, detail }: Extract<ToSupervisor, { kind: 'ask' }>): void {
    const id = ++this.#lastId;
    const peers = this.#peers().filter(({ number }) => number !== from.number);
    const answers: WorkerAnswer[] = [];
    const timer = setTimeout(() => question.done(), PATIENCE_MS);
    const question: FleetQuestion = {
      answers,
      waitsFor: new Set(peers.map(({ number }) => number)),
      done: () => {
        clearTimeout(timer);
        this.#questions.delete(id);
        from.send({ kind: 'answers', id: askedId, answers });
      },
    };
    this.#questions.set(id, question);
    for (const other of peers) other.send({ kind: 'question', id, topic, detail });
    if (peers.length === 0) question.done();
  }

  #addAnswer({ number }: Peer, { id, answer }: Extract<ToSupervisor, { kind: 'answer' }>): void {
    const question = this.#questions.get(id);
    if (!question?.waitsFor.delete(number)) return;
    question.answers.push({ worker: number, answer });
    if (question.waitsFor.size === 0) question.done();
  }
}
