import type { ThinkingField } from '../canonical/quirk.ts';

/** A target's model name and abilities. Encoders refuse or drop what the model cannot do. */
export type EncodeTarget = {
  upstreamModel: string;
  reasoning: boolean;
  reasoningEfforts: readonly string[];
  /**
   * `required`: the model has no levels, so an effort becomes a budget of thinking tokens.
   * `refused`: a budget becomes an effort. Default: the model takes budgets, and the levels that it lists.
   */
  thinkingBudgets?: 'required' | 'refused' | undefined;
  /** The host's own field for thinking, on the chat wire. */
  thinkingField?: ThinkingField | undefined;
  /** The place of system texts on the wire of responses. Default: into the instructions. */
  systemAs?: 'instructions' | 'developer' | undefined;
  /** True if the host refuses system messages between turns, even of models that accept them elsewhere. */
  refusesSystemTurns?: boolean;
  /** Undefined if the maker publishes no limit. */
  maxOutput?: number | undefined;
  /**
   * For embedding models: the vector width, whether it can be reduced, and whether the host accepts a width.
   */
  vectors?: { width: number; canShorten: boolean; sendsWidth: boolean } | undefined;
};
