import { Type } from '../../base/schema/type.ts';
import { namePatterns } from './name-patterns.ts';
import { choice, mapping, nullable, section } from './schema-parts.ts';

export const TelemetrySchema = section(
  {
    otlp: section(
      {
        endpoint: nullable(Type.String(namePatterns.webAddress), {
          description:
            'Base URL of an OTLP/HTTP receiver, for example http://127.0.0.1:4318. `/v1/traces` and `/v1/metrics` are appended. ' +
            '`null` means that nothing is exported unless OTEL_EXPORTER_OTLP_ENDPOINT is set, which takes precedence.',
        }),
        headers: mapping(namePatterns.headerName, Type.String(namePatterns.headerValue), {
          default: {},
          description: 'Request headers for the receiver, for example its API key.',
        }),
        sample: Type.Number({
          minimum: 0,
          maximum: 1,
          default: 1,
          description:
            "Share of requests whose trace is exported, from 0 to 1. The sampled flag of a caller's `traceparent` takes precedence.",
        }),
      },
      { description: 'Traces and metrics over OTLP (HTTP/protobuf).' },
    ),
    gen_ai_names: choice(['latest', 'legacy', 'both'], {
      default: 'latest',
      description:
        'Attribute names of the GenAI conventions. latest: the current names. legacy: those of semantic conventions 1.36. both: all of them.',
    }),
  },
  { description: 'Export of traces and metrics to OpenTelemetry.' },
);
