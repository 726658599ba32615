const STOP_SIGNALS = ['SIGTERM', 'SIGINT'] as const;

export type StopSignal = (typeof STOP_SIGNALS)[number];

/** The process that gets the signals. */
type SignalSource = {
  on(signal: NodeJS.Signals, listener: () => void): unknown;
  exit(code: number): void;
};

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

  /**
   * `isSupervised` reports whether a supervisor decides about the end of this process. A service manager can
   * signal both, so a second signal then has no effect.
   */
  constructor(source: SignalSource, isSupervised: () => boolean = () => false) {
    source.on('SIGHUP', () => this.#askForReload());
    for (const signal of STOP_SIGNALS) {
      source.on(signal, () => {
        // A second signal ends the process without a drain.
        if (this.#isStopping && !isSupervised()) source.exit(signal === 'SIGINT' ? INTERRUPTED : 1);
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
