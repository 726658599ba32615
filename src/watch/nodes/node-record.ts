/** A process that serves, or one that was closed within the last hour. Times are in milliseconds. */
export type NodeRecord = {
  id: string;
  startedAt: number;
  heartbeatAt: number;
  version: string;
  /** The day on which the commit of the program was made (UTC). `null` means that it is unknown. */
  commitDate: string | null;
  configHash: string;
  host: string;
  /** The number among the workers of a machine. `null` means that the process serves alone on its port. */
  worker: number | null;
  openRequests: number;
  /** The slots of providers with a limit that the node may use. */
  shares: Readonly<Record<string, number>>;
  /** The time at which another node closed this one, because it was silent. */
  closedAt: number | null;
};

/** The nodes of the installation. */
export interface NodeDirectory {
  /** Lists the nodes, the oldest first. */
  list(): Promise<NodeRecord[]>;
  /** Returns the id of this node. */
  ownId(): string;
  /** Returns the hash of this node's configuration. */
  configHash(): string;
}
