import { entriesOf } from '../../../base/lib/records.ts';
import { BadInput } from '../../model/bad-input.ts';
import type { Field } from '../../model/field.ts';
import type { WireId } from '../../model/wire.ts';
import type { VendorRule, VendorTarget } from './vendor-rule.ts';

const OPENAI_WIRES: readonly WireId[] = ['openai-chat', 'openai-responses'];

/** Grok's own names of the penalties, which its refusals have. */
const GROK_PENALTIES = { presence_penalty: 'presencePenalty', frequency_penalty: 'frequencyPenalty' };
/** The only value of each that Kimi's own host takes. */
const KIMI_VALUES = { temperature: 1, top_p: 0.95, presence_penalty: 0, frequency_penalty: 0 };

const refusedByGrok = (model: string, parameter: string): BadInput =>
  new BadInput(`Model ${model} does not support parameter ${parameter}.`);

function refusePenalties(body: Field, { model }: VendorTarget): BadInput | undefined {
  const sent = entriesOf(GROK_PENALTIES).find(([name]) => body.at(name).present);
  return sent && refusedByGrok(model, sent[1]);
}

const refuseStop = (body: Field, { model }: VendorTarget): BadInput | undefined =>
  body.at('stop').present ? refusedByGrok(model, 'stop') : undefined;

function refuseOtherValues(body: Field): BadInput | undefined {
  const sent = entriesOf(KIMI_VALUES).find(([name, only]) => (body.at(name).value ?? only) !== only);
  if (sent === undefined) return undefined;
  const [name, only] = sent;
  return new BadInput(`invalid ${name}: only ${only} is allowed for this model`);
}

/** DeepSeek needs the thinking of earlier turns back if the request has tools. */
function refuseMissingThinking(body: Field): BadInput | undefined {
  if (body.at('tools').items().length === 0 || body.at('thinking').at('type').value === 'disabled')
    return undefined;
  const turns = body.at('messages').items();
  const isMissing = turns.some(
    (turn) => turn.at('role').value === 'assistant' && !turn.at('reasoning_content').isText(),
  );
  return isMissing
    ? new BadInput('The `reasoning_content` in the thinking mode must be passed back to the API.')
    : undefined;
}

/** The rules of vendors that speak OpenAI's wires. */
export const compatibleRules: readonly VendorRule[] = [
  { models: /^grok-/, wires: OPENAI_WIRES, check: refusePenalties },
  { models: /^grok-(?!.*non-reasoning)/, wires: OPENAI_WIRES, check: refuseStop },
  { models: /^kimi-k/, wires: ['openai-chat'], check: refuseOtherValues },
  { models: /^deepseek-/, wires: ['openai-chat'], check: refuseMissingThinking },
];
