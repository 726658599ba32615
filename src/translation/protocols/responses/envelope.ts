import type { JsonObject } from '../../../base/json/json-body.ts';
import { isObject, listOf, objectOf } from '../../../base/json/read-json.ts';
import type { Usage } from '../../canonical/usage.ts';
import type { ResponseHead } from '../codec.ts';
import { encodeUsage } from './usage.ts';

export type EnvelopeState = {
  status: 'in_progress' | 'completed' | 'incomplete' | 'failed';
  output: unknown[];
  outputText: string;
  error?: unknown;
  incompleteReason?: string | undefined;
  /** Undefined until the usage is known. */
  usage?: Usage | undefined;
};

/** The request data that an envelope repeats. */
export type EnvelopeHead = Pick<ResponseHead, 'responseId' | 'model' | 'createdAt'> & {
  body: { value: JsonObject };
};

/** Encodes the whole response object: every field of the SDK's type, and the echoed fields of the request. */
export function encodeEnvelope(head: EnvelopeHead, state: EnvelopeState) {
  const { incompleteReason } = state;
  const isOver = state.status === 'completed' || state.status === 'incomplete';
  return {
    id: head.responseId,
    object: 'response',
    created_at: head.createdAt,
    status: state.status,
    background: false,
    completed_at: null,
    error: state.error ?? null,
    incomplete_details: incompleteReason === undefined ? null : { reason: incompleteReason },
    model: head.model,
    output: state.output,
    output_text: state.outputText,
    ...echo(head.body.value),
    // Absent until it is known, as in the SDK's type.
    ...((isOver || state.usage !== undefined) && { usage: encodeUsage(state.usage) }),
  };
}

function echo(body: JsonObject) {
  const { effort, summary, generate_summary } = objectOf(body.reasoning);
  const text = objectOf(body.text);
  return {
    instructions: body.instructions ?? null,
    max_output_tokens: body.max_output_tokens ?? null,
    max_tool_calls: body.max_tool_calls ?? null,
    metadata: body.metadata ?? {},
    parallel_tool_calls: body.parallel_tool_calls ?? true,
    previous_response_id: body.previous_response_id ?? null,
    prompt_cache_key: body.prompt_cache_key ?? null,
    reasoning: { effort: effort ?? null, summary: summary ?? generate_summary ?? null },
    safety_identifier: body.safety_identifier ?? null,
    service_tier: body.service_tier ?? null,
    store: body.store ?? true,
    temperature: body.temperature ?? null,
    text: { ...text, format: text.format ?? { type: 'text' } },
    tool_choice: body.tool_choice ?? 'auto',
    tools: listOf(body.tools).map(echoTool),
    top_logprobs: body.top_logprobs ?? 0,
    top_p: body.top_p ?? null,
    truncation: body.truncation ?? 'disabled',
    ...(typeof body.user === 'string' && { user: body.user }),
  };
}

/** Echoes a tool as sent. A function gets the two fields that a response requires. */
const echoTool = (tool: unknown): unknown =>
  isObject(tool) && tool.type === 'function'
    ? { ...tool, strict: tool.strict ?? null, parameters: tool.parameters ?? null }
    : tool;
