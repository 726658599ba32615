import type { JsonObject } from '../../../base/json/json-body.ts';
import { listOf, objectOf } from '../../../base/json/read-json.ts';
import { isObject } from '../../../base/lib/is-object.ts';
import { mapValues } from '../../../base/lib/records.ts';
import { unixSeconds } from '../../../base/lib/unix-seconds.ts';
import type { Usage } from '../../canonical/usage.ts';
import type { AnswerIdentity, ResponseHead } from '../../contract/response-head.ts';
import { encodeUsage } from './usage.ts';

/** The values of a response object that the answer decides. */
type EnvelopeState = {
  status: 'queued' | 'in_progress' | 'completed' | 'incomplete' | 'failed';
  output: unknown[];
  outputText: string;
  error?: unknown;
  incompleteReason?: string | undefined;
  /** Undefined until it is known. */
  usage?: Usage | undefined;
};

/** The request data that an envelope repeats. */
type EnvelopeHead = AnswerIdentity & {
  echo?: ResponseHead['echo'];
  body: { value: JsonObject };
};

/** Encodes the whole response object. Many of its members repeat the request's. */
export function encodeEnvelope(head: EnvelopeHead, state: EnvelopeState) {
  const { incompleteReason } = state;
  return {
    id: head.responseId,
    object: 'response',
    created_at: head.createdAt,
    status: state.status,
    background: false,
    completed_at: state.status === 'completed' ? Math.max(head.createdAt, unixSeconds()) : null,
    error: state.error ?? null,
    incomplete_details: incompleteReason === undefined ? null : { reason: incompleteReason },
    model: head.model,
    output: state.output,
    output_text: state.outputText,
    ...echo(head.body.value),
    // The public schemas disagree whether it may be absent or null before it is known.
    // Zeros are valid in all of them.
    usage: encodeUsage(state.usage),
    ...head.echo,
  };
}

/** A response object with every member of the SDK's type. */
export type ResponseObject = ReturnType<typeof encodeEnvelope>;

/** The values of settings that allow no null, if neither the request nor the provider names them. */
export const settingDefaults = {
  temperature: 1,
  top_p: 1,
  presence_penalty: 0,
  frequency_penalty: 0,
  service_tier: 'default',
} as const;

const settingsOf = (body: JsonObject) => mapValues(settingDefaults, (value, name) => body[name] ?? value);

function echo(body: JsonObject) {
  const { effort, summary, generate_summary } = objectOf(body.reasoning);
  const text = objectOf(body.text);
  return {
    access_programs: null,
    instructions: body.instructions ?? null,
    max_output_tokens: body.max_output_tokens ?? null,
    max_tool_calls: body.max_tool_calls ?? null,
    metadata: body.metadata ?? {},
    parallel_tool_calls: body.parallel_tool_calls ?? true,
    previous_response_id: body.previous_response_id ?? null,
    prompt_cache_key: body.prompt_cache_key ?? null,
    reasoning: { effort: effort ?? null, summary: summary ?? generate_summary ?? null },
    safety_identifier: body.safety_identifier ?? null,
    store: body.store ?? true,
    ...settingsOf(body),
    text: { ...text, format: text.format ?? { type: 'text' } },
    tool_choice: body.tool_choice ?? 'auto',
    tools: listOf(body.tools).map(echoTool),
    top_logprobs: body.top_logprobs ?? 0,
    truncation: body.truncation ?? 'disabled',
    ...(typeof body.user === 'string' && { user: body.user }),
  };
}

/** Echoes a tool as sent, with the members that a response requires. */
function echoTool(tool: unknown): unknown {
  if (!isObject(tool)) return tool;
  if (tool.type === 'custom') return { ...tool, format: tool.format ?? { type: 'text' } };
  if (tool.type !== 'function') return tool;
  const { description = null, parameters = null, strict } = tool;
  return { ...tool, description, parameters, strict: strict ?? false };
}
