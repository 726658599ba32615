export type Reloaded = {
  reloaded: true;
  generation: number;
  /** The changed settings that take effect at the next start. */
  restart_needed: string[];
  /** Settings that are valid but hardly meant. */
  warnings: string[];
};

export type ReloadOutcome = Reloaded | { problems: string[] };
