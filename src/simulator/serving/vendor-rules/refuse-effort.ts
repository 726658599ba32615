import { BadInput } from '../../model/bad-input.ts';
import type { Field } from '../../model/field.ts';
import type { WireId } from '../../model/wire.ts';
import type { VendorTarget } from './vendor-rule.ts';

/**
 * The efforts that a vendor takes for some of its models. The list is empty if the models take no effort. The
 * first match decides. `exceptOn`: a wire on which the models take every effort.
 */
type EffortRow = { models: RegExp; efforts: readonly string[]; exceptOn?: WireId };

const LOW_TO_HIGH = ['low', 'medium', 'high'];
const LOW_TO_MAX = [...LOW_TO_HIGH, 'xhigh', 'max'];
const NONE_TO_XHIGH = ['none', ...LOW_TO_HIGH, 'xhigh'];

/** The place of the effort on each wire that has one. */
const places: Readonly<Partial<Record<WireId, (body: Field) => Field>>> = {
  'anthropic-messages': (body) => body.at('output_config').at('effort'),
  'bedrock-converse': (body) => body.at('additionalModelRequestFields').at('output_config').at('effort'),
  'openai-chat': (body) => body.at('reasoning_effort'),
  'openai-responses': (body) => body.at('reasoning').at('effort'),
  'google-interactions': (body) => body.at('generation_config').at('thinking_level'),
  'google-generate': (body) => body.at('generationConfig').at('thinkingConfig').at('thinkingLevel'),
};

const rows: readonly EffortRow[] = [
  { models: /claude-(haiku|sonnet)-4-5/, efforts: [] },
  { models: /claude-(opus|sonnet)-4-6/, efforts: [...LOW_TO_HIGH, 'max'] },
  { models: /claude-(opus-4-[78]|[a-z]+-5)/, efforts: LOW_TO_MAX },
  { models: /^gpt-4(o|\.1)/, efforts: [] },
  { models: /^gpt-5\.\d-pro/, efforts: ['medium', 'high', 'xhigh'] },
  { models: /^gpt-5\.1/, efforts: ['none', ...LOW_TO_HIGH] },
  { models: /^gpt-5\.[2-5]/, efforts: NONE_TO_XHIGH },
  { models: /^gpt-6(\.1-sol|\.2|-astra)/, efforts: LOW_TO_MAX },
  { models: /^gpt-(5\.6|6)/, efforts: [...NONE_TO_XHIGH, 'max'] },
  { models: /^gemini-2\.5/, efforts: [], exceptOn: 'google-interactions' },
  { models: /^gemini-3\.[15]-flash/, efforts: ['minimal', ...LOW_TO_HIGH] },
  { models: /^gemini-3/, efforts: LOW_TO_HIGH },
  { models: /^gemini-4-hydrogen/, efforts: [...LOW_TO_HIGH, 'xhigh'] },
  { models: /^gemini-4-(argon|carbon)/, efforts: LOW_TO_HIGH },
  { models: /^grok-(4\.20|build)/, efforts: [] },
  { models: /^grok-4\.3/, efforts: ['none', ...LOW_TO_HIGH] },
  { models: /^grok-4\.7/, efforts: [...LOW_TO_HIGH, 'xhigh'] },
  { models: /^grok-4\.[56]/, efforts: LOW_TO_HIGH },
];

/** Refuses an effort that the model's own vendor does not take. */
export function refuseEffort(body: Field, { model, wire }: VendorTarget): BadInput | undefined {
  const field = places[wire]?.(body);
  if (typeof field?.value !== 'string') return undefined;
  const row = rows.find(({ models, exceptOn }) => models.test(model) && exceptOn !== wire);
  // Google also takes its levels in capitals.
  if (row === undefined || row.efforts.includes(field.value.toLowerCase())) return undefined;
  const { path, value } = field;
  if (row.efforts.length === 0)
    return new BadInput(`Unsupported parameter: '${path}' is not supported with this model.`, path);
  const efforts = row.efforts.map((effort) => `'${effort}'`).join(', ');
  return new BadInput(
    `Unsupported value: '${path}' does not support '${value}' with this model. Supported values are: ${efforts}.`,
    path,
    'unsupported_value',
  );
}
