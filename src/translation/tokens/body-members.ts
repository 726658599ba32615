/**
 * Members that hold the conversation, in all dialects.
 * A string in them is one text. The elements of a list are turns or parts.
 */
// biome-ignore format: a line for each group
export const textMembers: ReadonlySet<string> = new Set([
  'system', 'instructions', 'messages', 'input', 'prompt', 'contents',
]);

/** Members of turns and parts that hold further parts. The content of any other member is counted as JSON. */
// biome-ignore format: a line for each group
export const containers: ReadonlySet<string> = new Set([
  'content', 'tool_calls', 'function', 'custom', 'source', 'summary', 'output',
  'image_url', 'file', 'input_audio', 'parts', 'inlineData', 'functionResponse',
]);

/** Types of parts with known members. Any other type is counted as JSON. */
// biome-ignore format: a line for each group
export const knownPartTypes: ReadonlySet<unknown> = new Set([
  undefined, 'message', 'text', 'input_text', 'output_text', 'refusal', 'summary_text', 'reasoning_text',
  'reasoning', 'thinking', 'redacted_thinking', 'tool_use', 'tool_result', 'function', 'custom',
  'function_call', 'function_call_output', 'custom_tool_call', 'custom_tool_call_output',
  'image', 'document', 'image_url', 'file', 'input_audio', 'input_image', 'input_file',
]);

/** Members that hold tools, at the top of a body and in parts of unknown types. */
export const toolMembers: ReadonlySet<string> = new Set(['tools', 'functions']);

/** A prompt that is not text refers to a prompt that the vendor stores. */
export const STORED_PROMPT = 'prompt';
/** An earlier audio answer, by its id. */
export const EARLIER_SOUND = 'audio';
