/** The state of one target of a provider. */
export type TargetState = {
  /** The provider's name for the model. */
  model: string;
  circuit: 'closed' | 'open' | 'half-open';
  pauseLeftMs: number;
  inFlight: number;
  errorShare: number;
  firstByteMs: { whole: number | null; stream: number | null };
};
