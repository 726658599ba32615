/** Members that hold the conversation, in all dialects. */
// biome-ignore format: a line for each group
const conversationMembers = [
  'system', 'instructions', 'messages', 'input', 'prompt', 'suffix',
  'systemInstruction', 'system_instruction', 'contents',
] as const;
/** Members that vendors write into the prompt as they are. */
// biome-ignore format: a line for each group
const writtenOut = [
  'tools', 'functions', 'response_format', 'output_format', 'output_config', 'text', 'generationConfig',
] as const;
/** Options of all dialects that a model does not read. */
// biome-ignore format: a line for each group
const options = [
  'model', 'stream', 'stream_options', 'n', 'best_of', 'echo', 'store', 'background', 'include', 'user',
  'max_tokens', 'max_completion_tokens', 'max_output_tokens', 'max_tool_calls', 'temperature', 'top_p',
  'top_k', 'top_logprobs', 'logprobs', 'logit_bias', 'frequency_penalty', 'presence_penalty', 'seed',
  'stop', 'stop_sequences', 'tool_choice', 'function_call', 'parallel_tool_calls', 'reasoning_effort',
  'reasoning', 'thinking', 'verbosity', 'modalities', 'truncation', 'previous_response_id', 'metadata',
  'service_tier', 'safety_identifier', 'prompt_cache_key', 'prompt_cache_retention', 'cache_control',
  'dimensions', 'encoding_format', 'anthropic_version', 'anthropic_beta',
  'maxOutputTokens', 'toolConfig', 'safetySettings', 'labels', 'cachedContent', 'serviceTier',
  'previous_interaction_id', 'continuation_token', 'generation_config', 'safety_settings',
  'response_mime_type', 'response_modalities',
] as const;

type MemberReading = 'said' | 'written-out' | 'option';

/**
 * The reading of each top-level member. Members without one are counted as written out, because a vendor may
 * read them.
 */
export const memberReadings: ReadonlyMap<string, MemberReading> = new Map<string, MemberReading>([
  ...conversationMembers.map((name) => [name, 'said'] as const),
  ...writtenOut.map((name) => [name, 'written-out'] as const),
  ...options.map((name) => [name, 'option'] as const),
]);

/** Members of turns and parts that a model does not read. */
// biome-ignore format: a line for each group
const unread = [
  'type', 'role', 'id', 'status', 'call_id', 'tool_use_id', 'tool_call_id', 'cache_control',
  'media_type', 'signature', 'encrypted_content', 'annotations', 'citations', 'format', 'detail',
  'thought', 'thoughtSignature', 'mimeType', 'mime_type',
] as const;
/** Members whose names are part of the protocol, and not of the prompt. */
// biome-ignore format: a line for each group
const structural = [
  'content', 'text', 'refusal', 'thinking', 'reasoning', 'reasoning_content', 'summary', 'source', 'data',
  'name', 'input', 'arguments', 'function', 'tool_calls', 'output', 'title', 'context', 'is_error', 'url',
  'image_url', 'file', 'filename', 'input_audio',
  'parts', 'functionCall', 'functionResponse', 'args', 'response', 'result',
] as const;

/** The reading of a member of turns and parts. The name of a member without one is part of the prompt. */
type FieldReading = 'unread' | 'structural' | 'media';

export const fieldReadings: ReadonlyMap<string, FieldReading> = new Map<string, FieldReading>([
  ['inlineData', 'media'],
  ['fileData', 'media'],
  ...unread.map((name) => [name, 'unread'] as const),
  ...structural.map((name) => [name, 'structural'] as const),
]);
