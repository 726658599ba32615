import type { Environment } from '../../base/lib/environment.ts';
import type { ConfigProblem } from './config-problem.ts';
import { namePatterns } from './name-patterns.ts';
import { isSampler, otelSamplers } from './otel-samplers.ts';
import { parsePairs } from './parse-pairs.ts';

/** The signals, as the names of variables have them. */
const signals = ['TRACES', 'METRICS'] as const;

const WEB_ADDRESS = new RegExp(namePatterns.webAddress.pattern);
const HEADER_NAME = new RegExp(namePatterns.headerName.pattern);
const HEADER_VALUE = new RegExp(namePatterns.headerValue.pattern);
const MILLISECONDS = /^[1-9]\d{0,8}$/;

function areHeaders(text: string): boolean {
  const pairs = parsePairs(text);
  return (
    pairs !== undefined &&
    Object.entries(pairs).every(([name, value]) => HEADER_NAME.test(name) && HEADER_VALUE.test(value))
  );
}

const isShare = (text: string): boolean => text.trim() !== '' && Number(text) >= 0 && Number(text) <= 1;

type Rule = { variable: string; expected: string; isValid: (text: string) => boolean };

const forms = {
  endpoint: { expected: namePatterns.webAddress.expected, isValid: (text: string) => WEB_ADDRESS.test(text) },
  headers: { expected: "headers like 'name=value,other=value'", isValid: areHeaders },
  milliseconds: {
    expected: 'a whole number of milliseconds above 0',
    isValid: (text: string) => MILLISECONDS.test(text),
  },
  protocol: {
    expected: 'http/protobuf, the protocol that the gateway exports with',
    isValid: (text: string) => text === 'http/protobuf',
  },
};

/** Makes a rule for one variable of both signals, and one for each of them. */
const forEachSignal = (name: string, form: Omit<Rule, 'variable'>): Rule[] =>
  ['', ...signals.map((signal) => `${signal}_`)].map((signal) => ({
    variable: `OTEL_EXPORTER_OTLP_${signal}${name}`,
    ...form,
  }));

const rules: readonly Rule[] = [
  ...forEachSignal('ENDPOINT', forms.endpoint),
  ...forEachSignal('HEADERS', forms.headers),
  ...forEachSignal('PROTOCOL', forms.protocol),
  ...forEachSignal('TIMEOUT', forms.milliseconds),
  { variable: 'OTEL_METRIC_EXPORT_INTERVAL', ...forms.milliseconds },
  { variable: 'OTEL_BSP_SCHEDULE_DELAY', ...forms.milliseconds },
  {
    variable: 'OTEL_RESOURCE_ATTRIBUTES',
    expected: "attributes like 'name=value,other=value'",
    isValid: (text) => parsePairs(text) !== undefined,
  },
  {
    variable: 'OTEL_TRACES_SAMPLER',
    expected: `one of ${Object.keys(otelSamplers).join(', ')}`,
    isValid: isSampler,
  },
  { variable: 'OTEL_TRACES_SAMPLER_ARG', expected: 'a number from 0 to 1', isValid: isShare },
  ...signals.map((signal) => ({
    variable: `OTEL_${signal}_EXPORTER`,
    expected: 'otlp or none',
    isValid: (text: string) => text === 'otlp' || text === 'none',
  })),
];

/** Reports whether OTEL_SDK_DISABLED switches telemetry off. */
export const isTelemetryDisabled = ({ OTEL_SDK_DISABLED: disabled }: Environment): boolean =>
  disabled?.trim().toLowerCase() === 'true';

/** Finds the variables of OpenTelemetry with invalid values. An empty variable counts as unset. */
export function telemetryProblems(environment: Environment): ConfigProblem[] {
  if (isTelemetryDisabled(environment)) return [];
  return rules.flatMap(({ variable, expected, isValid }) => {
    const text = environment[variable];
    if (!text || isValid(text)) return [];
    return [{ file: null, line: null, column: null, field: variable, message: `must be ${expected}` }];
  });
}
