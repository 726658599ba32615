/** The identity of this process among the nodes of the installation. */
export interface NodeIdentity {
  /** Returns the current id. It changes after the node was closed and has registered again. */
  id(): string;
  /** Learns that the database has closed the node of this id. */
  closed(id: string): void;
}
