import { BadInput } from '../../model/bad-input.ts';
import type { Field } from '../../model/field.ts';
import type { WireId } from '../../model/wire.ts';
import { refuseManyMarks, refusePointAfterDocument } from './refuse-marks.ts';
import type { VendorRule } from './vendor-rule.ts';

const WIRES: readonly WireId[] = ['anthropic-messages', 'bedrock-converse'];

/** The models that choose their own sampling and their own budget of thinking tokens. */
const ADAPTIVE = /claude-(opus-4-[78]|[a-z]+-5)/;
const WITHOUT_PREFILL = /claude-((opus|sonnet)-4-6|opus-4-[78]|[a-z]+-5)/;
const ONE_SAMPLING = /claude-(haiku|sonnet)-4-[56]/;
/** The models before Opus 4.8. The vendor's pages disagree about Sonnet 5. */
const WITHOUT_SYSTEM_TURNS = /claude-((haiku|sonnet)-4|opus-4-[0-7](?!\d))/;

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

const turnsOf = (body: Field): Field[] => (body.at('messages').isList() ? body.at('messages').items() : []);

function refuseSystemTurns(body: Field): BadInput | undefined {
  return turnsOf(body).some((turn) => turn.at('role').value === 'system')
    ? new BadInput("role 'system' is not supported on this model")
    : undefined;
}

function refuseRepeatedResults(body: Field): BadInput | undefined {
  for (const turn of turnsOf(body)) {
    const content = turn.at('content');
    const blocks = content.isList() ? content.items() : [];
    const results = blocks.filter((block) => block.at('type').value === 'tool_result');
    const answered = new Set<unknown>();
    const repeated = results
      .map((block) => block.at('tool_use_id').value)
      .find((id) => answered.size === answered.add(id).size);
    if (repeated !== undefined)
      return new BadInput(
        `${turn.path}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${repeated}`,
      );
  }
  return undefined;
}

export const claudeRules: readonly VendorRule[] = [
  { models: ADAPTIVE, wires: WIRES, check: refuseSampling },
  { models: ADAPTIVE, wires: WIRES, check: refuseThinkingBudget },
  { models: ONE_SAMPLING, wires: WIRES, check: refuseTwoSamplings },
  { models: WITHOUT_PREFILL, wires: WIRES, check: refusePrefill },
  { models: WITHOUT_SYSTEM_TURNS, wires: ['anthropic-messages'], check: refuseSystemTurns },
  { models: /claude-/, wires: ['anthropic-messages'], check: refuseRepeatedResults },
  { models: /claude-/, wires: WIRES, check: refuseManyMarks },
  { models: /claude-/, wires: ['bedrock-converse'], check: refusePointAfterDocument },
];
