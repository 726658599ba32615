import { describe, expect, test } from 'bun:test';
import { telemetryProblems } from './telemetry-problems.ts';
import { telemetrySettings } from './telemetry-settings.ts';

const off = { endpoint: null, headers: {}, sample: 1 };
const read = (environment: Record<string, string>, otlp: object = {}) =>
  telemetrySettings({ otlp: { ...off, ...otlp }, gen_ai_names: 'legacy' }, environment);
const BASE = 'http://collector.invalid:4318';

test('nothing is exported by default or if the SDK is disabled', () => {
  expect(read({})).toBeNull();
  expect(read({ OTEL_SDK_DISABLED: 'TRUE' }, { endpoint: BASE })).toBeNull();
});

test('an endpoint is a base address, in the file and in the variable, which takes precedence', () => {
  const fromFile = read({}, { endpoint: `${BASE}/otlp/`, headers: { 'x-key': 'a' }, sample: 0.5 });
  expect(fromFile?.traces).toEqual({
    url: `${BASE}/otlp/v1/traces`,
    headers: { 'x-key': 'a' },
    timeoutMs: 10_000,
  });
  expect(fromFile?.metrics?.url).toBe(`${BASE}/otlp/v1/metrics`);
  expect(fromFile?.sampler).toEqual({ parent: true, share: 0.5 });
  const both = read({ OTEL_EXPORTER_OTLP_ENDPOINT: 'https://other.invalid' }, { endpoint: BASE });
  expect(both?.traces?.url).toBe('https://other.invalid/v1/traces');
});

test('variables of one signal take precedence with their endpoint as it is', () => {
  const settings = read({
    OTEL_EXPORTER_OTLP_ENDPOINT: BASE,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Basic%20abc=,x-a=1',
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://traces.invalid/here',
    OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'x-b=2',
    OTEL_EXPORTER_OTLP_METRICS_TIMEOUT: '500',
  });
  expect(settings?.traces).toEqual({
    url: 'http://traces.invalid/here',
    headers: { 'x-b': '2' },
    timeoutMs: 10_000,
  });
  expect(settings?.metrics).toEqual({
    url: `${BASE}/v1/metrics`,
    headers: { authorization: 'Basic abc=', 'x-a': '1' },
    timeoutMs: 500,
  });
  expect(read({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: BASE })?.metrics).toBeNull();
  expect(read({ OTEL_METRICS_EXPORTER: 'none', OTEL_EXPORTER_OTLP_ENDPOINT: BASE })?.metrics).toBeNull();
});

test.each([
  ['always_off', '1', { parent: false, share: 0 }],
  ['traceidratio', '0.25', { parent: false, share: 0.25 }],
  ['parentbased_always_on', '', { parent: true, share: 1 }],
  ['parentbased_traceidratio', '0.1', { parent: true, share: 0.1 }],
])('the sampler %s with %s', (name, argument, expected) => {
  const environment = { OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: argument };
  expect(read(environment, { endpoint: BASE, sample: 0.7 })?.sampler).toEqual(expected);
});

test('the service is named by its own variable first', () => {
  const attributes = 'service.name=a,deployment.environment.name=prod%20eu';
  expect(read({}, { endpoint: BASE })?.resource).toEqual({ 'service.name': 'tollgate' });
  expect(read({ OTEL_RESOURCE_ATTRIBUTES: attributes }, { endpoint: BASE })?.resource).toEqual({
    'service.name': 'a',
    'deployment.environment.name': 'prod eu',
  });
  const named = { OTEL_RESOURCE_ATTRIBUTES: attributes, OTEL_SERVICE_NAME: 'b' };
  expect(read(named, { endpoint: BASE })?.resource['service.name']).toBe('b');
});

test('the setting or the standard variable selects the latest names of GenAI', () => {
  expect(read({}, { endpoint: BASE })?.genAiNames).toBe('legacy');
  const optIn = { OTEL_SEMCONV_STABILITY_OPT_IN: 'http, gen_ai_latest_experimental' };
  expect(read(optIn, { endpoint: BASE })?.genAiNames).toBe('latest');
});

describe('a variable with an invalid value', () => {
  test.each([
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
    ['OTEL_EXPORTER_OTLP_METRICS_ENDPOINT', 'http://me:secret@collector'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'no value'],
    ['OTEL_EXPORTER_OTLP_TRACES_HEADERS', 'x=%0a'],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
    ['OTEL_EXPORTER_OTLP_TIMEOUT', 'soon'],
    ['OTEL_TRACES_SAMPLER', 'sometimes'],
    ['OTEL_TRACES_SAMPLER_ARG', '2'],
    ['OTEL_RESOURCE_ATTRIBUTES', 'a=%zz'],
    ['OTEL_TRACES_EXPORTER', 'jaeger'],
  ])('%s is named, and its value is not shown', (variable, value) => {
    const problems = telemetryProblems({ [variable]: value });
    expect(problems.map(({ field }) => field)).toEqual([variable]);
    expect(problems[0]!.message).not.toContain(value);
    expect(telemetryProblems({ [variable]: value, OTEL_SDK_DISABLED: 'true' })).toEqual([]);
    expect(telemetryProblems({ [variable]: '' })).toEqual([]);
  });
});
