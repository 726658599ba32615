import type { JsonObject } from '../../base/json/json-body.ts';
import { objectOf } from '../../base/json/read-json.ts';

/** Reports whether a request has stop sequences, in any dialect. */
export function hasStops(body: JsonObject): boolean {
  const { generationConfig, generation_config } = body;
  const stops =
    body['stop'] ??
    body['stop_sequences'] ??
    objectOf(generationConfig)['stopSequences'] ??
    objectOf(generation_config)['stop_sequences'];
  return stops != null;
}
