const OPENAI = /^(?:openai\/)?(?:gpt-(?!oss)|chatgpt-|o\d|codex-|computer-use)/i;

/**
 * Returns true for OpenAI's own models, recognised by their names. They accept newer fields
 * (`max_completion_tokens`, `prompt_cache_key`, `service_tier`), and the reasoning models refuse
 * `max_tokens`. Most other hosts know only the older fields, and some refuse unknown ones.
 */
export const isOpenaiModel = (upstreamModel: string): boolean => OPENAI.test(upstreamModel);
