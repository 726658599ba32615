import { BadInput } from '../../model/bad-input.ts';
import type { Field } from '../../model/field.ts';
import type { WireId } from '../../model/wire.ts';
import type { VendorRule } from './vendor-rule.ts';

const WIRES: readonly WireId[] = ['anthropic-messages', 'bedrock-converse'];

/** The models that choose their own sampling and their own budget of thinking tokens. */
const ADAPTIVE = /claude-(opus-4-[78]|[a-z]+-5)/;
const WITHOUT_PREFILL = /claude-((opus|sonnet)-4-6|opus-4-[78]|[a-z]+-5)/;
const ONE_SAMPLING = /claude-(haiku|sonnet)-4-[56]/;

/** Returns the places of each sampling parameter on both wires. */
function samplingOf(body: Field) {
  const inference = body.at('inferenceConfig');
  const ownFields = body.at('additionalModelRequestFields');
  return {
    temperature: [body.at('temperature'), inference.at('temperature')],
    top_p: [body.at('top_p'), inference.at('topP')],
    top_k: [body.at('top_k'), ownFields.at('top_k')],
  };
}

const isPresent = (places: readonly Field[]): boolean => places.some(({ present }) => present);

function refuseSampling(body: Field): BadInput | undefined {
  const name = Object.entries(samplingOf(body)).find(([, places]) => isPresent(places))?.[0];
  return name === undefined ? undefined : new BadInput(`\`${name}\` is deprecated for this model.`);
}

function refuseThinkingBudget(body: Field): BadInput | undefined {
  const types = [body, body.at('additionalModelRequestFields')].map(
    (fields) => fields.at('thinking').at('type').value,
  );
  return types.includes('enabled')
    ? new BadInput(
        '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.',
      )
    : undefined;
}

function refuseTwoSamplings(body: Field): BadInput | undefined {
  const { temperature, top_p } = samplingOf(body);
  return isPresent(temperature) && isPresent(top_p)
    ? new BadInput('`temperature` and `top_p` cannot both be specified for this model. Please use only one.')
    : undefined;
}

function refusePrefill(body: Field): BadInput | undefined {
  const messages = body.at('messages');
  const last = messages.isList() ? messages.items().at(-1) : undefined;
  return last?.at('role').value === 'assistant'
    ? new BadInput(
        'This model does not support assistant message prefill. The conversation must end with a user message.',
      )
    : undefined;
}

export const claudeRules: readonly VendorRule[] = [
  { models: ADAPTIVE, wires: WIRES, check: refuseSampling },
  { models: ADAPTIVE, wires: WIRES, check: refuseThinkingBudget },
  { models: ONE_SAMPLING, wires: WIRES, check: refuseTwoSamplings },
  { models: WITHOUT_PREFILL, wires: WIRES, check: refusePrefill },
];
