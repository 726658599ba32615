const STOP_SIGNALS = ['SIGTERM', 'SIGINT'] as const;

export type StopSignal = (typeof STOP_SIGNALS)[number];

/** The exit code of a command that was interrupted, as a shell reports it. */
export const INTERRUPTED = 130;

/**
 * Handles signals from the beginning of the start, since a SIGHUP without a listener ends the process.
 * Signals that arrive earlier take effect when the server is ready.
 */
export class ProcessSignals {
  readonly #stop = Promise.withResolvers<StopSignal>();
  #isStopping = false;
  #isReloadAsked = false;
  #reload: (() => void) | undefined;

  constructor(source: NodeJS.Process) {
    source.on('SIGHUP', () => this.#askForReload());
    for (const signal of STOP_SIGNALS) {
      source.on(signal, () => {
        // A second signal ends the process without a drain.
        if (this.#isStopping) source.exit(signal === 'SIGINT' ? INTERRUPTED : 1);
        this.#isStopping = true;
        this.#stop.resolve(signal);
      });
    }
  }

  get isStopping(): boolean {
    return this.#isStopping;
  }

  /** Resolves to the signal when the process must stop. */
  get stopped(): Promise<StopSignal> {
    return this.#stop.promise;
  }

  onReload(reload: () => void): void {
    this.#reload = reload;
    if (this.#isReloadAsked) this.#askForReload();
  }

  #askForReload(): void {
    if (this.#isStopping) return;
    this.#isReloadAsked = true;
    this.#reload?.();
  }
}
