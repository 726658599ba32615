/**
 * A question that every process of a server answers from its own state. Its detail and its answer are texts:
 * - `metrics`: the form of the exposition, and the exposition
 * - `providers`: nothing, and the state of the providers as JSON
 * - `queue`: the filter, and the waiting requests as JSON
 */
export type FleetTopic = 'metrics' | 'providers' | 'queue';

/** The answer of one process. */
export type WorkerAnswer = { worker: number; answer: string };

/** The processes of a server that share one port. */
export interface Fleet {
  /** Registers the function that answers a topic in this process. It gets the detail of the question. */
  answer(topic: FleetTopic, answerTo: (detail: string) => string): void;
  /**
   * Returns the answers of all processes in the order of their numbers. A process that does not answer in
   * time is left out.
   */
  gather(topic: FleetTopic, detail: string): Promise<readonly WorkerAnswer[]>;
}
