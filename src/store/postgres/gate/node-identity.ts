/** The identity of this process among the nodes of the installation. */
export interface NodeIdentity {
  /** Returns the current id. It changes after the node was closed and has registered again. */
  id(): string;
  /** Is called when the database answers that the node of this id is closed. */
  closed(id: string): void;
}
