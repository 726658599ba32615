#!/usr/bin/env node
// Checks the export of traces and metrics against the OpenTelemetry Collector: `npm run check:otel`. A
// missing Collector is a failure.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { scrapeStartedServer } from './deploy/scrape-started-server.mjs';
import { findCollector, startCollector } from './otel/collector.mjs';
import { reportChecks } from './report-checks.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

const MISSING = `The OpenTelemetry Collector is missing. Put \`otelcol\` on the PATH, or name the program in OTELCOL. To build it with Go:
  go install go.opentelemetry.io/collector/cmd/builder@v0.160.0
  builder --config scripts/otel/builder.yaml`;

const USER = 'user_check';
const SESSION = 'session-of-check';
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';

/** The headers and members that the requests of the scrape get in addition. */
const addedToRequests = {
  headers: { traceparent: `00-${TRACE}-${PARENT}-01`, tracestate: 'vendor=1' },
  body: { user: USER, metadata: { user_id: `${USER}_session_${SESSION}` } },
};

/**
 * The lines that the Collector must print.
 * It decodes every message, so an invalid one leaves no trace in its output.
 */
const linePatterns = [
  ['the service is named', /service\.name: Str\(tollgate-check\)/],
  ['attributes of the resource arrive', /deployment\.environment\.name: Str\(check bed\)/],
  ['the request has a span', /Name +: POST \/v1\/chat\/completions\n +Kind +: Server/],
  [
    "the request's span continues the caller's trace",
    new RegExp(`Trace ID +: ${TRACE}\\n +Parent ID +: ${PARENT}\\n`),
  ],
  ['the state of the trace arrives', /TraceState *: vendor=1\n/],
  ['the attempt has a span', /Name +: chat \S+\n +Kind +: Client/],
  ['the settlement has a span', /Name +: settlement\n +Kind +: Internal/],
  ['GenAI usage arrives', /gen_ai\.usage\.input_tokens: Int\([1-9]\d*\)/],
  ['the provider is named', /gen_ai\.provider\.name: Str\(\S+\)/],
  ['the time to the first part arrives', /gen_ai\.response\.time_to_first_chunk: Double\(\d/],
  ['the user is named', new RegExp(`user\\.id: Str\\(${USER}\\)`)],
  ['the session is named', new RegExp(`session\\.id: Str\\(${SESSION}\\)`)],
  ['a refused request has its error', /error\.type: Str\(unknown_model\)/],
  [
    'counters arrive',
    /-> Name: tollgate_requests_total\n[\s\S]*?DataType: Sum\n *-> IsMonotonic: true\n *-> AggregationTemporality: Cumulative/,
  ],
  ['gauges arrive', /-> Name: process_resident_memory_bytes\n[\s\S]*?-> Unit: By\n *-> DataType: Gauge/],
  ['histograms arrive', /-> Name: tollgate_request_duration_seconds\n[\s\S]*?DataType: Histogram/],
  ['exemplars name the trace', new RegExp(`Exemplar #0[\\s\\S]*?Trace ID: ${TRACE}`)],
  ['metrics of GenAI arrive', /-> Name: gen_ai\.server\.request\.duration/],
];

async function main() {
  const program = findCollector(root);
  if (!program) throw new Error(MISSING);
  const scratch = mkdtempSync(join(tmpdir(), 'tollgate-otel-'));
  let output = '';
  try {
    const collector = await startCollector(program, scratch);
    try {
      await scrapeStartedServer(root, {
        ...addedToRequests,
        environment: {
          OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
          OTEL_SERVICE_NAME: 'tollgate-check',
          OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=check%20bed',
        },
      });
    } finally {
      output = await collector.stop();
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  const checks = linePatterns.map(([name, pattern]) => ({ name, pattern }));
  await reportChecks(checks, ({ pattern }) => (pattern.test(output) ? undefined : `no line has ${pattern}`));
  if (process.exitCode === 1 && process.env.SHOW_OUTPUT) console.log(output);
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
