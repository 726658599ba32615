/** Names of hosts and vendors. A client must not learn where its model runs. */
const VENDORS = new RegExp(
  [
    '(?:azure|openai|anthropic|google|vertex ?ai|amazon|microsoft|dashscope|cloudflare|openrouter|cerebras)[\\w-]*',
    '(?:deepinfra|siliconflow|sambanova|nvidia|fireworks|moonshot|alibaba|perplexity|replicate|ollama|vllm|groq)[\\w-]*',
    '(?:baseten|novita|nebius|databricks|snowflake|watsonx|featherless|parasail|scaleway|litellm)[\\w-]*',
    '\\b(?:bedrock|aws|cohere|vertex|x\\.ai|xai|z\\.ai|zai|minimax(?!-?m\\d)|hugging ?face|lm studio|sglang|workers ai|ai21)\\b',
    '\\bTogether(?: ?AI|\\.ai)\\b',
    '\\btogether\\.ai\\b',
    'llama\\.cpp',
    '\\bcf-ray\\b',
  ].join('|'),
  'gi',
);

/** Names of models. The client knows its model by another one. */
const MODELS = new RegExp(
  `(?:[\\w.-]{1,40}/)?\\b(?:${[
    'chatgpt|gpt|claude|gemini|gemma|llama|mi[sx]tral|codestral|deepseek|qwen|qwq|grok|kimi|glm',
    'command-r|phi-\\d|nova-(?:micro|lite|pro)|nemotron|sonar-|jamba|ernie|hunyuan|doubao|minimax-?m\\d|dbrx',
    'o[1-9](?:-mini|-pro|-preview)?(?![\\w/:])',
  ].join('|')})(?:[.:@/-]?\\w+)*`,
  'gi',
);

/** A host without a domain, with its port: `gpu-7:8000`. */
const PORT = /(?<![\w.])(?=[a-z\d-]*[-\d])[a-z][a-z\d-]*:\d{4,5}(?!\w)/gi;

/** Replaces the names of vendors and models, and of hosts with a port. */
export const replaceVendors = (text: string): string =>
  text.replace(VENDORS, 'the provider').replace(MODELS, 'the model').replace(PORT, '[address]');
