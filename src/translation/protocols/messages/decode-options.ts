import type { JsonBody } from '../../../base/json/json-body.ts';
import { memberText } from '../../../base/json/member-text.ts';
import { present } from '../../../base/json/present.ts';
import { numberOf, objectOf, textOf, textsOf } from '../../../base/json/read-json.ts';
import { sliceJson } from '../../../base/json/slice-json.ts';
import { lookUp } from '../../../base/lib/records.ts';
import type { Fields } from '../../../base/schema/json-type.ts';
import { RawJson } from '../../canonical/raw-json.ts';
import type { Hints, OutputFormat, Sampling, Thinking } from '../../canonical/request.ts';

const modes: Readonly<Record<string, Thinking['mode']>> = {
  enabled: 'enabled',
  adaptive: 'adaptive',
  between_tools: 'adaptive',
  disabled: 'disabled',
};

export const decodeSampling = ({ temperature, top_p, top_k, stop_sequences }: Fields): Sampling =>
  present({
    temperature: numberOf(temperature),
    topP: numberOf(top_p),
    topK: numberOf(top_k),
    stopSequences: textsOf(stop_sequences),
  });

/** Decodes the hints. The whole `user_id` becomes the cache key, since agents include the session in it. */
export function decodeHints({ metadata, service_tier }: Fields): Hints {
  const user = textOf(objectOf(metadata).user_id);
  return present({ cacheKey: user || undefined, user: user || undefined, serviceTier: textOf(service_tier) });
}

/** Decodes the schema of the output, which is always strict. Older clients send `output_format`. */
export function decodeFormat(body: JsonBody): OutputFormat | undefined {
  const places = [
    {
      format: objectOf(body.value.output_config).format,
      member: 'output_config',
      path: ['format', 'schema'],
    },
    { format: body.value.output_format, member: 'output_format', path: ['schema'] },
  ];
  const place = places.find(({ format }) => format != null);
  const schema = place && sliceJson(memberText(body, place.member), place.path);
  return schema === undefined
    ? undefined
    : { kind: 'json-schema', schema: new RawJson(schema), strict: true };
}

/**
 * Decodes thinking. Nothing here is a requirement, since agents send an effort and adaptive thinking with
 * every request, whatever the model.
 */
export function decodeThinking({ thinking, output_config }: Fields): Thinking | undefined {
  const effort = textOf(objectOf(output_config).effort);
  const { type, budget_tokens, display } = objectOf(thinking);
  const mode = lookUp(modes, textOf(type)) ?? 'default';
  if (mode === 'default' && effort === undefined) return undefined;
  return {
    mode,
    effortIsRequired: false,
    visible: (mode === 'enabled' || mode === 'adaptive') && display !== 'omitted',
    ...present({ budgetTokens: numberOf(budget_tokens), effort, display: textOf(display) }),
  };
}
