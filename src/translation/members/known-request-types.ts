/**
 * The types of turns, items, parts and blocks in requests that the vendors' own clients know.
 * Others pass as they are, and are counted.
 */
// biome-ignore format: a line for each group
export const knownParts: ReadonlySet<unknown> = new Set([
  // In several protocols.
  'text', 'image', 'document', 'file', 'thinking', 'refusal', 'message', 'compaction',
  // Chat completions, with the parts of some hosts.
  'image_url', 'input_audio', 'function', 'custom',
  'video_url', 'input_video', 'document_url', 'reference',
  // Messages.
  'advisor_tool_result', 'bash_code_execution_tool_result', 'code_execution_tool_result',
  'container_upload', 'fallback', 'mcp_tool_listing', 'mcp_tool_result', 'mcp_tool_use',
  'redacted_thinking', 'search_result', 'server_tool_use', 'text_editor_code_execution_tool_result',
  'tool_addition', 'tool_reference', 'tool_removal', 'tool_result', 'tool_search_tool_result',
  'tool_use', 'web_fetch_tool_result', 'web_search_tool_result', 'web_search_result',
  // Responses.
  'additional_tools', 'agent_message', 'apply_patch_call', 'apply_patch_call_output',
  'code_interpreter_call', 'compaction_trigger', 'computer_call', 'computer_call_output',
  'configuration_update', 'custom_tool_call', 'custom_tool_call_output', 'file_search_call',
  'function_call', 'function_call_output', 'image_generation_call', 'input_file', 'input_image',
  'input_text', 'item_reference', 'local_shell_call', 'local_shell_call_output',
  'mcp_approval_request', 'mcp_approval_response', 'mcp_call', 'mcp_list_tools',
  'multi_agent_call', 'multi_agent_call_output', 'output_text', 'program', 'program_output',
  'reasoning', 'reasoning_text', 'shell_call', 'shell_call_output', 'summary_text',
  'tool_search_call', 'tool_search_output', 'web_search_call',
]);

// biome-ignore format: a line for each group
const tools: ReadonlySet<string> = new Set([
  'advisor', 'apply_patch', 'bash', 'browser_toolset', 'code_execution', 'code_interpreter', 'computer',
  'computer_toolset', 'computer_use_preview', 'custom', 'file_search', 'function', 'image_generation',
  'local_shell', 'mcp', 'mcp_toolset', 'memory', 'namespace', 'programmatic_tool_calling', 'shell',
  'text_editor', 'tool_search', 'tool_search_tool_bm25', 'tool_search_tool_regex', 'web_fetch',
  'web_search', 'web_search_preview',
]);

/** The date with which vendors end the types of their tools' versions. */
const VERSION = /_\d{4}_?\d{2}_?\d{2}$/;

/** Reports whether the vendors' own clients know a type of tool, in any version. */
export const isKnownTool = (type: string): boolean => tools.has(type) || tools.has(type.replace(VERSION, ''));
