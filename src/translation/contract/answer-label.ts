import type { Estimator } from '../canonical/estimator.ts';
import type { ReportUnknown } from '../members/report-types.ts';

/** The id, model name and counters that the gateway puts on an answer, as far as they are plain data. */
export type PlainLabel = {
  id: string;
  model: string;
  /** The vector width that the model's catalog entry states. */
  vectorWidth?: number | undefined;
  /** True if the model is billed by the seconds of sound that it makes. */
  metersSound?: boolean | undefined;
  /** Members that the answer repeats, although the provider did not get them. */
  echo?: Readonly<Record<string, unknown>> | undefined;
  /** The key that seals compactions. */
  recapKey?: Uint8Array | undefined;
};

/** The values that the gateway puts on an answer in place of the upstream's. */
export type AnswerLabel = PlainLabel & {
  /**
   * Returns the public name of another model that the vendor names.
   * Returns undefined if no model of the catalog has this name.
   */
  nameModel?: ((upstreamModel: string) => string | undefined) | undefined;
  /** Receives the upstream's own id of the answer, if a later request may refer to that id. */
  reportId?: ((id: string) => void) | undefined;
  /** Receives the types in the answer that no vendor's client knows. They pass as they are. */
  reportUnknown?: ReportUnknown | undefined;
  /** Estimates usage for hosts that do not report it. */
  estimate: Estimator;
};
