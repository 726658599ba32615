import type { Field } from '../model/field.ts';
import type { SimulatorStop } from '../model/reply.ts';
import type { SimulatorExchange } from '../model/wire.ts';

export type ResponseState = {
  status: 'in_progress' | 'completed' | 'incomplete' | 'failed';
  output: unknown[];
  usage: unknown;
  error?: unknown;
};

const orNull = (field: Field): unknown => field.value ?? null;

/** Builds the response object. It repeats the request's settings with the vendor's defaults. */
export function responseObject({ exchange, state }: { exchange: SimulatorExchange; state: ResponseState }) {
  const { body, createdSeconds } = exchange;
  return {
    id: exchange.id('resp_'),
    object: 'response',
    created_at: createdSeconds,
    status: state.status,
    background: false,
    completed_at: state.status === 'completed' ? createdSeconds : null,
    error: state.error ?? null,
    incomplete_details: state.status === 'incomplete' ? { reason: 'max_output_tokens' } : null,
    instructions: orNull(body.at('instructions')),
    max_output_tokens: orNull(body.at('max_output_tokens')),
    max_tool_calls: null,
    model: exchange.model,
    output: state.output,
    ...echoedSettings(body),
    ...(exchange.reportsUsage && { usage: state.usage ?? null }),
  };
}

function echoedSettings(body: Field) {
  return {
    access_programs: null,
    frequency_penalty: body.at('frequency_penalty').value ?? 0,
    parallel_tool_calls: body.at('parallel_tool_calls').value ?? true,
    presence_penalty: body.at('presence_penalty').value ?? 0,
    previous_response_id: null,
    prompt_cache_key: orNull(body.at('prompt_cache_key')),
    reasoning: {
      effort: orNull(body.at('reasoning').at('effort')),
      summary: orNull(body.at('reasoning').at('summary')),
    },
    safety_identifier: orNull(body.at('safety_identifier')),
    service_tier: 'default',
    store: body.at('store').value ?? true,
    temperature: body.at('temperature').value ?? 1,
    text: { format: body.at('text').at('format').value ?? { type: 'text' }, verbosity: 'medium' },
    tool_choice: body.at('tool_choice').value ?? 'auto',
    tools: body.at('tools').items().map(echoedTool),
    top_logprobs: body.at('top_logprobs').value ?? 0,
    top_p: body.at('top_p').value ?? 1,
    truncation: body.at('truncation').value ?? 'disabled',
    ...(body.at('user').present && { user: body.at('user').value }),
    metadata: body.at('metadata').value ?? {},
  };
}

/** The vendor fills in the members that a tool of the request lacks. */
function echoedTool({ value }: Field): unknown {
  const tool = value as Record<string, unknown>;
  if (tool.type === 'custom') return { ...tool, format: tool.format ?? { type: 'text' } };
  if (tool.type !== 'function') return tool;
  const { description = null, parameters = null, strict } = tool;
  return { ...tool, description, parameters, strict: strict ?? true };
}

export const statusOf = (stop: SimulatorStop): 'completed' | 'incomplete' =>
  stop === 'length' ? 'incomplete' : 'completed';
