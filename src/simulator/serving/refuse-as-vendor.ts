import { BadInput } from '../model/bad-input.ts';
import type { Field } from '../model/field.ts';
import { refusedEffort } from './refused-effort.ts';

/** Something that a vendor refuses for some of its models, in the vendor's own words. */
type Rule = {
  models: RegExp;
  wires: RegExp;
  check(body: Field, wire: string, model: string): BadInput | undefined | '';
};

const CLAUDE = /^(anthropic-messages|bedrock-converse)$/;
const OPENAI = /^openai-(chat|responses)$/;

/** From these on, Claude chooses its own sampling and its own budget of thinking tokens. */
const ADAPTIVE_CLAUDE = /claude-(opus-4-[78]|[a-z]+-5)/;
const WITHOUT_PREFILL = /claude-((opus|sonnet)-4-6|opus-4-[78]|[a-z]+-5)/;
const REASONING_GPT = /^(o\d|gpt-[56](?!-chat))/;
const GPT_6 = /^gpt-6/;

const GROK_NAMES: Readonly<Record<string, string>> = {
  presence_penalty: 'presencePenalty',
  frequency_penalty: 'frequencyPenalty',
};
/** The only value of each that Kimi's own host takes. */
const KIMI_VALUES: Readonly<Record<string, number>> = {
  temperature: 1,
  top_p: 0.95,
  presence_penalty: 0,
  frequency_penalty: 0,
};

const isSet = ({ value }: Field): boolean => value !== undefined && value !== null && value !== 0;

const rules: readonly Rule[] = [
  {
    models: ADAPTIVE_CLAUDE,
    wires: CLAUDE,
    check(body) {
      const inference = body.at('inferenceConfig');
      const own = body.at('additionalModelRequestFields');
      const named = [
        ['temperature', body.at('temperature'), inference.at('temperature')],
        ['top_p', body.at('top_p'), inference.at('topP')],
        ['top_k', body.at('top_k'), own.at('top_k')],
      ] as const;
      const found = named.find(([, ...fields]) => fields.some(({ present }) => present));
      return found && new BadInput(`\`${found[0]}\` is deprecated for this model.`);
    },
  },
  {
    models: ADAPTIVE_CLAUDE,
    wires: CLAUDE,
    check(body) {
      const kinds = [body, body.at('additionalModelRequestFields')].map(
        (fields) => fields.at('thinking').at('type').value,
      );
      if (!kinds.includes('enabled')) return undefined;
      return new BadInput(
        '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.',
      );
    },
  },
  {
    models: /claude-(haiku|sonnet)-4-[56]/,
    wires: CLAUDE,
    check(body) {
      const inference = body.at('inferenceConfig');
      const isBoth = [body, inference].some(
        (fields) => fields.at('temperature').present && fields.either('top_p', 'topP').present,
      );
      return isBoth
        ? new BadInput(
            '`temperature` and `top_p` cannot both be specified for this model. Please use only one.',
          )
        : undefined;
    },
  },
  {
    models: WITHOUT_PREFILL,
    wires: CLAUDE,
    check: (body) =>
      lastOf(body.at('messages'))?.at('role').value === 'assistant'
        ? new BadInput(
            'This model does not support assistant message prefill. The conversation must end with a user message.',
          )
        : undefined,
  },
  {
    models: REASONING_GPT,
    wires: OPENAI,
    check(body, wire) {
      const name = ['temperature', 'top_p'].find((each) => (body.at(each).value ?? 1) !== 1);
      if (name === undefined) return undefined;
      const message =
        wire === 'openai-chat'
          ? `Unsupported value: '${name}' does not support ${body.at(name).value} with this model. Only the default (1) value is supported.`
          : `Unsupported parameter: '${name}' is not supported with this model.`;
      return new BadInput(
        message,
        name,
        wire === 'openai-chat' ? 'unsupported_value' : 'unsupported_parameter',
      );
    },
  },
  {
    models: REASONING_GPT,
    wires: /^openai-chat$/,
    check(body) {
      const name = ['presence_penalty', 'frequency_penalty', 'logit_bias', 'stop'].find((each) =>
        isSet(body.at(each)),
      );
      return name ? unsupported(name) : undefined;
    },
  },
  {
    models: GPT_6,
    wires: /^openai-chat$/,
    check: (body) =>
      body.at('tools').items().length > 0
        ? new BadInput(
            'Function tools are not supported with this model in v1/chat/completions. Please use /v1/responses instead.',
            'tools',
            'unsupported_parameter',
          )
        : undefined,
  },
  {
    models: /gemini-4-(argon|carbon|hydrogen)/,
    wires: /^google-generate$/,
    check: (body) =>
      body.at('generationConfig').at('thinkingConfig').at('thinkingBudget').present
        ? new BadInput('thinking_budget is not supported by this model. Use thinking_level instead.')
        : undefined,
  },
  {
    models: /^gemini-/,
    wires: /^google-generate$/,
    check(body) {
      const generation = body.at('generationConfig');
      return ['presencePenalty', 'frequencyPenalty'].some((name) => isSet(generation.at(name)))
        ? new BadInput('Penalty is not enabled for this model')
        : undefined;
    },
  },
  {
    models: /^grok-/,
    wires: OPENAI,
    check(body, _, model) {
      const name = Object.keys(GROK_NAMES).find((each) => body.at(each).present);
      return name && new BadInput(`Model ${model} does not support parameter ${GROK_NAMES[name]}.`);
    },
  },
  {
    models: /^grok-(?!.*non-reasoning)/,
    wires: OPENAI,
    check: (body, _, model) =>
      body.at('stop').present ? new BadInput(`Model ${model} does not support parameter stop.`) : undefined,
  },
  {
    models: /^kimi-k/,
    wires: /^openai-chat$/,
    check(body) {
      const [name] =
        Object.entries(KIMI_VALUES).find(([each, only]) => (body.at(each).value ?? only) !== only) ?? [];
      return name && new BadInput(`invalid ${name}: only ${KIMI_VALUES[name]} is allowed for this model`);
    },
  },
  {
    models: /^deepseek-/,
    wires: /^openai-chat$/,
    check(body) {
      if (body.at('tools').items().length === 0 || body.at('thinking').at('type').value === 'disabled')
        return undefined;
      const turns = body.at('messages').items();
      const isMissing = turns.some(
        (turn) => turn.at('role').value === 'assistant' && !turn.at('reasoning_content').isText(),
      );
      return isMissing
        ? new BadInput('The `reasoning_content` in the thinking mode must be passed back to the API.')
        : undefined;
    },
  },
];

const unsupported = (name: string): BadInput =>
  new BadInput(
    `Unsupported parameter: '${name}' is not supported with this model.`,
    name,
    'unsupported_parameter',
  );

const lastOf = (list: Field): Field | undefined => (list.isList() ? list.items().at(-1) : undefined);

function refuseEffort(body: Field, target: Target): void {
  const refused = refusedEffort(body, target);
  if (refused === undefined) return;
  const { field, effort, taken } = refused;
  throw taken.length === 0
    ? new BadInput(`Unsupported parameter: '${field.path}' is not supported with this model.`, field.path)
    : new BadInput(
        `Unsupported value: '${field.path}' does not support '${effort}' with this model. Supported values are: ${taken.map((one) => `'${one}'`).join(', ')}.`,
        ...([field.path, 'unsupported_value'] as const),
      );
}

type Target = { model: string; wire: string };

/** Throws if the model's own vendor would refuse the request. */
export function refuseAsVendor(body: Field, target: Target): void {
  const { model, wire } = target;
  for (const { models, wires, check } of rules) {
    const refusal = models.test(model) && wires.test(wire) ? check(body, wire, model) : undefined;
    if (refusal) throw refusal;
  }
  refuseEffort(body, target);
}
