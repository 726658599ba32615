import { Type } from '../../../base/schema/type.ts';
import { responsesRequestSchema } from './request-schema.ts';

const { model, input, instructions, previous_response_id, tools, parallel_tool_calls, ...others } =
  responsesRequestSchema.properties;
const { max_output_tokens, reasoning, text, service_tier, prompt_cache_key, prompt_cache_retention } = others;

/** The fields of a compaction that the gateway checks. Other fields are passed on. */
export const compactRequestSchema = Type.Object({
  model,
  input,
  instructions,
  previous_response_id,
  tools,
  parallel_tool_calls,
  max_output_tokens,
  reasoning,
  text,
  service_tier,
  prompt_cache_key,
  prompt_cache_retention,
});
