import type { SharedCapacity } from '../../store/postgres/nodes/share-keeper.ts';
import type { NodeDirectory } from '../../watch/nodes/node-record.ts';

/** The parts of a serving process that the other nodes affect. */
export type ServingNode = {
  capacity: SharedCapacity;
  providers(): Iterable<{ id: string; maxConcurrent: number | null }>;
  openRequests(): number;
  /** Ends all open answers with an error, because this node was closed and may not settle them. */
  abandon(nodeId: string): void;
  reload(): void;
};

/** The duties of a store of several nodes besides storing. */
export type NodeHooks = {
  directory: NodeDirectory;
  /** Registers a listener for changes of other nodes. It can be called twice for one change. */
  onChange(kind: string, listener: (subject: string) => void): void;
  /** Registers a listener for the closing of this node by another one, which ends what it had open. */
  onClosed(listener: () => void): void;
  /** Follows the other nodes from now on. Runs before the first request. */
  start(node: ServingNode): Promise<void>;
  /** Notifies the other nodes of a change. The subject has at most 7,000 bytes. */
  announce(kind: string, subject: string): Promise<void>;
  /** Makes the other nodes reload their configuration. */
  announceReload(): Promise<void>;
  /** Takes up the providers of a new configuration. */
  follow(): void;
  /** Leaves the other nodes, after the last answer and before the store closes. */
  stop(): Promise<void>;
};
