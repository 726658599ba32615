import type { Sampler } from '../../base/tracing/request-trace.ts';
import type { TelemetrySettings } from '../../settings/config/telemetry-settings.ts';

/** The last digits of a trace id are random in every generation of ids, and 13 fit a number exactly. */
const DIGITS = 13;
const RANGE = 16 ** DIGITS;

/**
 * Decides by the caller's flag, and otherwise by the trace id, so that all services with one share choose the
 * same traces.
 */
export const createSampler = ({ parent, share }: TelemetrySettings['sampler']): Sampler => {
  const isChosen = (traceId: string): boolean =>
    share >= 1 || (share > 0 && Number.parseInt(traceId.slice(-DIGITS), 16) < share * RANGE);
  return (traceId, caller) => (parent && caller ? caller.isSampled : isChosen(traceId));
};
