const OPENAI = /^(?:openai\/)?(?:gpt-(?!oss)|chatgpt-|o\d|codex-|computer-use)/i;

/**
 * The vendor's own models take newer fields (`max_completion_tokens`, `prompt_cache_key`, `service_tier`), and its reasoning models refuse
 * the old ceiling; most other hosts know the old ones only, and some refuse a request for a field that they do not know. The name of the
 * model is all that tells them apart here.
 */
export const isOpenaiModel = (upstreamModel: string): boolean => OPENAI.test(upstreamModel);
