import type { JsonBody, JsonObject } from '../../../base/json/json-body.ts';
import { memberText } from '../../../base/json/member-text.ts';
import { present } from '../../../base/json/present.ts';
import { numberOf, objectOf, textOf, textsOf } from '../../../base/json/read-json.ts';
import { sliceJson } from '../../../base/json/slice-json.ts';
import { isObject } from '../../../base/lib/is-object.ts';
import { RawJson } from '../../canonical/raw-json.ts';
import type { OutputFormat, Sampling, Thinking } from '../../canonical/request.ts';
import { isStrictSchema } from '../google/json-schema-of.ts';

const JSON_TYPE = 'application/json';

export function decodeSampling({ generation_config }: JsonObject): Sampling {
  const { temperature, top_p, seed, stop_sequences } = objectOf(generation_config);
  const stops = textsOf(stop_sequences);
  return present({
    temperature: numberOf(temperature),
    topP: numberOf(top_p),
    seed: numberOf(seed),
    stopSequences: stops?.length ? stops : undefined,
  });
}

/** Decodes thinking. Nothing here is a requirement, since agents send a level with every request. */
export function decodeThinking({ generation_config }: JsonObject): Thinking | undefined {
  const { thinking_level, thinking_summaries } = objectOf(generation_config);
  const effort = textOf(thinking_level)?.toLowerCase();
  const visible = textOf(thinking_summaries)?.toLowerCase() === 'auto';
  if (!visible && !effort) return undefined;
  return {
    mode: 'default',
    effortIsRequired: false,
    visible,
    ...(effort && { effort }),
    ...(visible && { display: 'auto' }),
  };
}

/** Decodes the form of the output. Older clients send the type next to a schema. */
export function decodeFormat(body: JsonBody): OutputFormat | undefined {
  const { response_format: format, response_mime_type: type } = body.value;
  const text = memberText(body, 'response_format');
  if (type === JSON_TYPE && (format == null || isBareSchema(format)))
    return isObject(format) ? schemaFormat(format, text) : { kind: 'json-object' };
  const formats = formatsOf(format);
  const index = formats.findIndex((entry) => objectOf(entry).mime_type === JSON_TYPE);
  if (index < 0) return undefined;
  const { schema } = objectOf(formats[index]);
  if (!isObject(schema)) return { kind: 'json-object' };
  const path = Array.isArray(format) ? [index, 'schema'] : ['schema'];
  return schemaFormat(schema, sliceJson(text, path) ?? '{}');
}

/** Returns the formats of a request, which can name one or a list. */
export const formatsOf = (format: unknown): unknown[] => (Array.isArray(format) ? format : [format]);

/** Reports whether a value is a schema in place of a format, which older clients send. */
const isBareSchema = (format: unknown): boolean =>
  isObject(format) && format.mime_type === undefined && format.schema === undefined && format.type !== 'text';

const schemaFormat = (schema: unknown, text: string): OutputFormat => ({
  kind: 'json-schema',
  schema: new RawJson(text),
  ...(isStrictSchema(schema) && { strict: true }),
});
