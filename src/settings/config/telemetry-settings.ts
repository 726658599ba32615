import type { Environment } from '../../base/lib/environment.ts';
import type { Config } from './config-schema.ts';
import { isSampler, otelSamplers } from './otel-samplers.ts';
import { parsePairs } from './parse-pairs.ts';
import { isTelemetryDisabled } from './telemetry-problems.ts';

/** The endpoint of one signal. */
export type OtlpTarget = { url: string; headers: Readonly<Record<string, string>>; timeoutMs: number };

/** The signals that clients send. */
export const relayedSignals = ['metrics', 'logs', 'traces'] as const;
export type RelayedSignal = (typeof relayedSignals)[number];

export type TelemetrySettings = {
  /** `null` means that the signal is not exported. */
  traces: OtlpTarget | null;
  metrics: OtlpTarget | null;
  /** `parent`: the caller's flag takes precedence over the share. */
  sampler: { parent: boolean; share: number };
  /** The attributes of the service. */
  resource: Readonly<Record<string, string>>;
  /** The longest time that a finished trace waits for its batch. */
  batchDelayMs: number;
  metricIntervalMs: number;
  genAiNames: Config['telemetry']['gen_ai_names'];
};

const SERVICE = 'tollgate';
/** The defaults that the specification of OpenTelemetry sets. */
const TIMEOUT_MS = 10_000;
const BATCH_DELAY_MS = 5_000;
const METRIC_INTERVAL_MS = 60_000;

const OPT_IN_LATEST = 'gen_ai_latest_experimental';

/**
 * Reads the settings of the file and the standard variables, which take precedence. Returns null if nothing
 * is exported.
 */
export function telemetrySettings(
  telemetry: Config['telemetry'],
  environment: Environment,
): TelemetrySettings | null {
  if (isTelemetryDisabled(environment)) return null;
  const traces = targetOf('traces', telemetry.otlp, environment);
  const metrics = targetOf('metrics', telemetry.otlp, environment);
  if (!traces && !metrics) return null;
  const optIn = (environment.OTEL_SEMCONV_STABILITY_OPT_IN ?? '').split(',').map((word) => word.trim());
  return {
    traces,
    metrics,
    sampler: samplerOf(telemetry.otlp, environment),
    resource: resourceOf(environment),
    batchDelayMs: Number(environment.OTEL_BSP_SCHEDULE_DELAY || BATCH_DELAY_MS),
    metricIntervalMs: Number(environment.OTEL_METRIC_EXPORT_INTERVAL || METRIC_INTERVAL_MS),
    genAiNames: optIn.includes(OPT_IN_LATEST) ? 'latest' : telemetry.gen_ai_names,
  };
}

/** Returns the receivers of the telemetry of clients. `null` means that the signal is not forwarded. */
export function relayTargets(
  telemetry: Config['telemetry'],
  environment: Environment,
): Record<RelayedSignal, OtlpTarget | null> {
  const of = (signal: RelayedSignal) =>
    isTelemetryDisabled(environment) ? null : targetOf(signal, telemetry.otlp, environment);
  return { metrics: of('metrics'), logs: of('logs'), traces: of('traces') };
}

type Otlp = Config['telemetry']['otlp'];

/** A variable of one signal takes precedence over the variable of both, and its endpoint is used as it is. */
function targetOf(signal: RelayedSignal, otlp: Otlp, environment: Environment): OtlpTarget | null {
  const upper = signal.toUpperCase();
  if (environment[`OTEL_${upper}_EXPORTER`] === 'none') return null;
  const valueOfVariable = (name: string) =>
    environment[`OTEL_EXPORTER_OTLP_${upper}_${name}`] || environment[`OTEL_EXPORTER_OTLP_${name}`];
  const base = environment.OTEL_EXPORTER_OTLP_ENDPOINT || otlp.endpoint;
  const signalEndpoint = environment[`OTEL_EXPORTER_OTLP_${upper}_ENDPOINT`];
  const url = signalEndpoint || (base && `${base.replace(/\/+$/, '')}/v1/${signal}`);
  if (!url) return null;
  const headers = valueOfVariable('HEADERS');
  return {
    url,
    headers: headers ? (parsePairs(headers) ?? {}) : otlp.headers,
    timeoutMs: Number(valueOfVariable('TIMEOUT') || TIMEOUT_MS),
  };
}

function samplerOf({ sample }: Otlp, environment: Environment): TelemetrySettings['sampler'] {
  const name = environment.OTEL_TRACES_SAMPLER;
  if (!name || !isSampler(name)) return { parent: true, share: sample };
  const { parent, share } = otelSamplers[name];
  const ratio = () => Number(environment.OTEL_TRACES_SAMPLER_ARG || 1);
  return { parent, share: share === 'ratio' ? ratio() : share };
}

const resourceOf = (environment: Environment): Record<string, string> => ({
  'service.name': SERVICE,
  ...parsePairs(environment.OTEL_RESOURCE_ATTRIBUTES ?? ''),
  ...(environment.OTEL_SERVICE_NAME && { 'service.name': environment.OTEL_SERVICE_NAME }),
});
