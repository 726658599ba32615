import type { JsonBody, JsonObject } from '../../../base/json/json-body.ts';
import { present } from '../../../base/json/present.ts';
import { numberOf, objectOf, textOf, textsOf } from '../../../base/json/read-json.ts';
import { sliceJson } from '../../../base/json/slice-json.ts';
import { isObject } from '../../../base/lib/is-object.ts';
import type { Fields } from '../../../base/schema/json-type.ts';
import { RawJson } from '../../canonical/raw-json.ts';
import type { CanonicalRequest, OutputFormat, Sampling, Thinking } from '../../canonical/request.ts';
import { DYNAMIC_BUDGET } from './generation.ts';
import { isStrictSchema, jsonSchemaOf } from './json-schema-of.ts';

const JSON_TYPE = 'application/json';

/** Returns the configuration of a request, which is empty if the client sent none. */
export const configOf = ({ generationConfig }: JsonObject): Fields => objectOf(generationConfig);

/** Decodes the parameters of sampling. An empty list of stop sequences counts as none. */
export function decodeSampling(config: Fields): Sampling {
  const stops = textsOf(config.stopSequences);
  return present({
    temperature: numberOf(config.temperature),
    topP: numberOf(config.topP),
    topK: numberOf(config.topK),
    seed: numberOf(config.seed),
    presencePenalty: numberOf(config.presencePenalty),
    frequencyPenalty: numberOf(config.frequencyPenalty),
    stopSequences: stops?.length ? stops : undefined,
  });
}

/** Decodes the form of the output. A schema without the type of JSON is not obeyed by the vendor either. */
export function decodeFormat(body: JsonBody): OutputFormat | undefined {
  const { responseMimeType, responseSchema, responseJsonSchema } = configOf(body.value);
  if (responseMimeType !== JSON_TYPE) return undefined;
  if (isObject(responseJsonSchema)) {
    const text = sliceJson(body.text, ['generationConfig', 'responseJsonSchema'])!;
    return schemaFormat(responseJsonSchema, text);
  }
  if (!isObject(responseSchema)) return { kind: 'json-object' };
  const schema = jsonSchemaOf(responseSchema);
  return schemaFormat(schema, JSON.stringify(schema));
}

const schemaFormat = (schema: unknown, text: string): OutputFormat => ({
  kind: 'json-schema',
  schema: new RawJson(text),
  ...(isStrictSchema(schema) && { strict: true }),
});

/** Decodes thinking. Nothing here is a requirement, since agents send a level with every request. */
export function decodeThinking({ thinkingConfig }: Fields): Thinking | undefined {
  if (!isObject(thinkingConfig)) return undefined;
  const { includeThoughts, thinkingBudget: budget, thinkingLevel } = thinkingConfig;
  const effort = textOf(thinkingLevel)?.toLowerCase();
  const isLevel = effort !== undefined && effort !== '' && effort !== 'thinking_level_unspecified';
  const visible = includeThoughts === true;
  if (!visible && budget == null && !isLevel) return undefined;
  return {
    mode: modeOf(budget),
    effortIsRequired: false,
    visible: visible && budget !== 0,
    ...(typeof budget === 'number' && budget > 0 && { budgetTokens: budget }),
    ...(isLevel && { effort }),
    ...(visible && { display: 'auto' }),
  };
}

function modeOf(budget: unknown): Thinking['mode'] {
  if (typeof budget !== 'number') return 'default';
  if (budget === 0) return 'disabled';
  return budget === DYNAMIC_BUDGET ? 'adaptive' : 'enabled';
}

type Counts = Pick<CanonicalRequest, 'maxOutputTokens' | 'choices' | 'logprobs'>;

/** Decodes the token limit, the number of answers and the log probabilities. */
export function decodeCounts(config: Fields): Counts {
  const { maxOutputTokens, candidateCount, responseLogprobs, logprobs } = config;
  return {
    ...(typeof maxOutputTokens === 'number' && { maxOutputTokens }),
    ...(typeof candidateCount === 'number' && candidateCount > 1 && { choices: candidateCount }),
    ...(responseLogprobs === true && {
      logprobs: typeof logprobs === 'number' ? { top: logprobs } : {},
    }),
  };
}
