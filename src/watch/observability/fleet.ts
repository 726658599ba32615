/** A question that every process of a server answers from its own state. */
export type FleetTopic = 'metrics' | 'providers' | 'queue';

/** The answer of one process. */
export type WorkerAnswer = { worker: number; answer: string };

/** The processes of a server that share one port. */
export interface Fleet {
  /** Sets this process's answer to a topic. */
  answer(topic: FleetTopic, give: (detail: string) => string): void;
  /**
   * Returns the answers of all processes in the order of their numbers.
   * A process that does not answer in time is left out.
   */
  gather(topic: FleetTopic, detail: string): Promise<readonly WorkerAnswer[]>;
}
