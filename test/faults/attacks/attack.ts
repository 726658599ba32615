import type { Answer } from '../../support/call.ts';

/** The counts of answers by status. 0 is for a connection that the server closed without an answer. */
export type Statuses = Record<number, number>;

/** The attacked server, as the attacker's process gets it. */
export type Target = {
  url: string;
  /** The attacker's key. */
  key: string;
  adminToken: string;
  configFile: string;
  /** The factor of connections and sizes. It is 1 for the whole attack. */
  scale: number;
};

export type AttackReport = {
  statuses: Statuses;
  /** Request ids of the complete answers that must each have an entry in the ledger. */
  complete: string[];
};

/** An attack under way. */
export type AttackSession = Target & {
  /** The signal that the time is up. Everything that the attacker has open is closed then. */
  signal: AbortSignal;
  /** Scales a count to the machine, to at least one. */
  scaled(count: number): number;
  noteStatus(status: number): void;
  /** Notes the status, and the request id of a complete answer that the ledger must have. */
  noteBilled(answer: Answer): void;
};

export type Attack = {
  name: string;
  /**
   * The plan of the attacker. `free` has the plan's own limits. `enterprise` has no limits, so that only the
   * other bounds hold.
   */
  plan: 'free' | 'enterprise';
  /** The duration of the attack. */
  ms: number;
  /** The statuses that the attacker may receive. Any other status is a defect. */
  statuses: readonly number[];
  /** Upstream models in addition to the default ones. Their names say how they answer. */
  models?: readonly string[];
  /** The most file descriptors of the server. */
  descriptors?: number;
  /** Additional rows of the catalog. */
  fillerModels?: number;
  /** The bystander's request, if the attack aims at more than small requests. */
  bystander?: { model?: string; bodyBytes?: number };
  /** Prepares the attack before the quiet time is measured. `run` gets the result. */
  prepare?(session: AttackSession): Promise<unknown>;
  /** Attacks until the signal is aborted. */
  run(session: AttackSession, prepared: unknown): Promise<void>;
};
