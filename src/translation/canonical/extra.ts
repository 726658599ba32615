/**
 * Features that cost more than tokens at the model's rates: members of the body, hosted tools, and previews
 * that a header enables. A model's row allows them by these names.
 */
export const extras = [
  'best_of',
  'cache_control.ttl',
  'code_execution',
  'code_interpreter',
  'context-1m',
  'file_search',
  'image_generation',
  'inference_geo',
  'mcp',
  'modalities',
  'multi_agent',
  'prompt_cache_options.ttl',
  'prompt_cache_retention',
  'service_tier',
  'shell',
  'speed',
  'web_search',
  'x_search',
] as const;

export type Extra = (typeof extras)[number];
