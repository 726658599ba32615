import type { JsonObject } from '../../base/json/json-body.ts';
import { objectOf } from '../../base/json/read-json.ts';

/** The places of types in answers. */
export type TypePlace = 'event' | 'block' | 'delta' | 'item';
type TypesByPlace = Partial<Record<TypePlace, ReadonlySet<string>>>;

/**
 * The types that the vendors' own clients know, by protocol and place.
 * A type without a row passes as it is, and is counted.
 */
const typesByDialect = {
  messages: {
    event: new Set([
      'content_block_delta',
      'content_block_start',
      'content_block_stop',
      'error',
      'message_delta',
      'message_start',
      'message_stop',
      'ping',
    ]),
    block: new Set([
      'advisor_tool_result',
      'bash_code_execution_tool_result',
      'code_execution_tool_result',
      'compaction',
      'container_upload',
      'fallback',
      'mcp_tool_listing',
      'mcp_tool_result',
      'mcp_tool_use',
      'redacted_thinking',
      'server_tool_use',
      'text',
      'text_editor_code_execution_tool_result',
      'thinking',
      'tool_search_tool_result',
      'tool_use',
      'web_fetch_tool_result',
      'web_search_tool_result',
    ]),
    delta: new Set([
      'citations_delta',
      'compaction_delta',
      'input_json_delta',
      'signature_delta',
      'text_delta',
      'thinking_delta',
    ]),
  },
  responses: {
    event: new Set([
      'error',
      'response.audio.delta',
      'response.audio.done',
      'response.audio.transcript.delta',
      'response.audio.transcript.done',
      'response.code_interpreter_call.completed',
      'response.code_interpreter_call.in_progress',
      'response.code_interpreter_call.interpreting',
      'response.code_interpreter_call_code.delta',
      'response.code_interpreter_call_code.done',
      'response.compaction.compacting',
      'response.completed',
      'response.content_part.added',
      'response.content_part.done',
      'response.created',
      'response.custom_tool_call_input.delta',
      'response.custom_tool_call_input.done',
      'response.failed',
      'response.file_search_call.completed',
      'response.file_search_call.in_progress',
      'response.file_search_call.searching',
      'response.function_call_arguments.delta',
      'response.function_call_arguments.done',
      'response.image_generation_call.completed',
      'response.image_generation_call.generating',
      'response.image_generation_call.in_progress',
      'response.image_generation_call.partial_image',
      'response.in_progress',
      'response.incomplete',
      'response.mcp_call.completed',
      'response.mcp_call.failed',
      'response.mcp_call.in_progress',
      'response.mcp_call_arguments.delta',
      'response.mcp_call_arguments.done',
      'response.mcp_list_tools.completed',
      'response.mcp_list_tools.failed',
      'response.mcp_list_tools.in_progress',
      'response.output_item.added',
      'response.output_item.done',
      'response.output_text.annotation.added',
      'response.output_text.delta',
      'response.output_text.done',
      'response.queued',
      'response.reasoning_summary_part.added',
      'response.reasoning_summary_part.done',
      'response.reasoning_summary_text.delta',
      'response.reasoning_summary_text.done',
      'response.reasoning_text.delta',
      'response.reasoning_text.done',
      'response.refusal.delta',
      'response.refusal.done',
      'response.shell_call_command.added',
      'response.shell_call_command.delta',
      'response.shell_call_command.done',
      'response.shell_call_output_content.delta',
      'response.shell_call_output_content.done',
      'response.web_search_call.completed',
      'response.web_search_call.in_progress',
      'response.web_search_call.searching',
    ]),
    item: new Set([
      'additional_tools',
      'agent_message',
      'apply_patch_call',
      'apply_patch_call_output',
      'code_interpreter_call',
      'compaction',
      'computer_call',
      'computer_call_output',
      'custom_tool_call',
      'custom_tool_call_output',
      'file_search_call',
      'function_call',
      'function_call_output',
      'image_generation_call',
      'local_shell_call',
      'local_shell_call_output',
      'mcp_approval_request',
      'mcp_approval_response',
      'mcp_call',
      'mcp_list_tools',
      'message',
      'multi_agent_call',
      'multi_agent_call_output',
      'program',
      'program_output',
      'reasoning',
      'shell_call',
      'shell_call_output',
      'tool_search_call',
      'tool_search_output',
      'web_search_call',
    ]),
  },
} satisfies Record<string, TypesByPlace>;

type Protocol = keyof typeof typesByDialect;

/** Receives the place and the name of a type that no row has. */
export type ReportUnknown = (name: string) => void;

/** Returns the known types of a place. */
export function knownTypes(protocol: Protocol, place: TypePlace): ReadonlySet<string> {
  const typesByPlace: TypesByPlace = typesByDialect[protocol];
  return typesByPlace[place] ?? new Set();
}

/** Reports the types of an event of `/v1/messages` that are unknown. */
export function reportMessageTypes(event: JsonObject, report: ReportUnknown): void {
  const { event: events, block, delta } = typesByDialect.messages;
  reportUnknown('event', event.type, events, report);
  if (event.type === 'content_block_start')
    reportUnknown('block', objectOf(event.content_block).type, block, report);
  if (event.type === 'content_block_delta') reportUnknown('delta', objectOf(event.delta).type, delta, report);
}

/** Reports the types of an event of `/v1/responses` that are unknown. */
export function reportResponseTypes(event: JsonObject, type: string, report: ReportUnknown): void {
  const { event: events, item } = typesByDialect.responses;
  reportUnknown('event', type, events, report);
  if (type === 'response.output_item.added') reportUnknown('item', objectOf(event.item).type, item, report);
}

/** Reports a type that is none of the known ones. */
function reportUnknown(
  place: TypePlace,
  type: unknown,
  types: ReadonlySet<string>,
  report: ReportUnknown,
): void {
  if (typeof type === 'string' && !types.has(type)) report(`${place} ${type}`);
}
