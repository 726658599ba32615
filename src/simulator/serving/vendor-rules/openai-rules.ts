import { BadInput } from '../../model/bad-input.ts';
import type { Field } from '../../model/field.ts';
import { isSet } from './is-set.ts';
import type { VendorRule, VendorTarget } from './vendor-rule.ts';

const REASONING_MODELS = /^(o\d|gpt-[56](?!-chat))/;
const GPT_6 = /^gpt-6/;

const unsupportedParameter = (name: string): BadInput =>
  new BadInput(
    `Unsupported parameter: '${name}' is not supported with this model.`,
    name,
    'unsupported_parameter',
  );

const unsupportedValue = (name: string, value: unknown): BadInput =>
  new BadInput(
    `Unsupported value: '${name}' does not support ${value} with this model. Only the default (1) value is supported.`,
    name,
    'unsupported_value',
  );

function refuseSampling(body: Field, { wire }: VendorTarget): BadInput | undefined {
  const name = ['temperature', 'top_p'].find((each) => (body.at(each).value ?? 1) !== 1);
  if (name === undefined) return undefined;
  return wire === 'openai-chat' ? unsupportedValue(name, body.at(name).value) : unsupportedParameter(name);
}

function refuseOtherParameters(body: Field): BadInput | undefined {
  const names = ['presence_penalty', 'frequency_penalty', 'logit_bias', 'stop'];
  const name = names.find((each) => isSet(body.at(each)));
  return name === undefined ? undefined : unsupportedParameter(name);
}

const refuseTools = (body: Field): BadInput | undefined =>
  body.at('tools').items().length > 0
    ? new BadInput(
        'Function tools are not supported with this model in v1/chat/completions. Please use /v1/responses instead.',
        'tools',
        'unsupported_parameter',
      )
    : undefined;

export const openaiRules: readonly VendorRule[] = [
  { models: REASONING_MODELS, wires: ['openai-chat', 'openai-responses'], check: refuseSampling },
  { models: REASONING_MODELS, wires: ['openai-chat'], check: refuseOtherParameters },
  { models: GPT_6, wires: ['openai-chat'], check: refuseTools },
];
