import { BadInput } from '../model/bad-input.ts';
import type { Field } from '../model/field.ts';

/** Something that a vendor refuses for some of its models, in the vendor's own words. */
type Rule = { models: RegExp; wires: RegExp; check(body: Field, wire: string): BadInput | undefined };

const CLAUDE = /^(anthropic-messages|bedrock-converse)$/;
const OPENAI = /^openai-(chat|responses)$/;

/** From these on, Claude chooses its own sampling and its own budget of thinking tokens. */
const ADAPTIVE_CLAUDE = /claude-(opus-4-[78]|opus-5|sonnet-5|fable-5|mythos-5)/;
const WITHOUT_PREFILL = /claude-((opus|sonnet)-4-6|opus-4-[78]|opus-5|sonnet-5|fable-5|mythos-5)/;
const REASONING_GPT = /^(o\d|gpt-[56](?!-chat))/;
const GPT_6 = /^gpt-6/;

const rules: readonly Rule[] = [
  {
    ...{ models: ADAPTIVE_CLAUDE, wires: CLAUDE },
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
    ...{ models: ADAPTIVE_CLAUDE, wires: CLAUDE },
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
    ...{ models: WITHOUT_PREFILL, wires: CLAUDE },
    check: (body) =>
      lastOf(body.at('messages'))?.at('role').value === 'assistant'
        ? new BadInput(
            'This model does not support assistant message prefill. The conversation must end with a user message.',
          )
        : undefined,
  },
  {
    ...{ models: REASONING_GPT, wires: OPENAI },
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
    ...{ models: REASONING_GPT, wires: /^openai-chat$/ },
    check(body) {
      const name = ['presence_penalty', 'frequency_penalty', 'logit_bias', 'stop'].find((each) => {
        const { value } = body.at(each);
        return value !== undefined && value !== null && value !== 0;
      });
      return name ? unsupported(name) : undefined;
    },
  },
  {
    ...{ models: GPT_6, wires: /^openai-chat$/ },
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
    ...{ models: /^gpt-6(\.1-sol|\.2|-astra)/, wires: OPENAI },
    check(body) {
      const flat = body.at('reasoning_effort');
      const field = flat.present ? flat : body.at('reasoning').at('effort');
      if (field.value !== 'none') return undefined;
      return new BadInput(
        `Unsupported value: '${field.path}' does not support 'none' with this model. Supported values are: 'low', 'medium', 'high', 'xhigh', and 'max'.`,
        field.path,
        'unsupported_value',
      );
    },
  },
  {
    ...{ models: /gemini-4-argon/, wires: /^google-generate$/ },
    check: (body) =>
      body.at('generationConfig').at('thinkingConfig').at('thinkingBudget').present
        ? new BadInput('thinking_budget is not supported by this model. Use thinking_level instead.')
        : undefined,
  },
  {
    ...{ models: /^deepseek-/, wires: /^openai-chat$/ },
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

/** Throws if the model's own vendor would refuse the request. */
export function refuseAsVendor(body: Field, { model, wire }: { model: string; wire: string }): void {
  for (const { models, wires, check } of rules) {
    const refusal = models.test(model) && wires.test(wire) ? check(body, wire) : undefined;
    if (refusal) throw refusal;
  }
}
