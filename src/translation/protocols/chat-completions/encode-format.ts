import type { OutputFormat } from '../../canonical/request.ts';

/** Encodes the output format. The wire requires a name for a schema. */
export function encodeFormat(format: OutputFormat | undefined): object | undefined {
  if (format === undefined) return undefined;
  if (format.kind !== 'json-schema') return { type: format.kind === 'text' ? 'text' : 'json_object' };
  const { name = 'answer', description, schema, strict } = format;
  return { type: 'json_schema', json_schema: { name, description, schema, strict } };
}
