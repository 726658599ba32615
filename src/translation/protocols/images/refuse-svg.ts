import { invalidParam } from '../../../base/errors/invalid-param.ts';
import type { Refusal } from '../../../base/errors/refusal.ts';
import type { JsonObject } from '../../../base/json/json-body.ts';

/**
 * Refuses vector images: the vendor draws them with another model, whose tokens no price of an image covers.
 */
export function refuseSvg({ output_format: format, svg }: JsonObject): Refusal | undefined {
  if (svg != null) return invalidParam('svg', 'is not supported');
  return format === 'svg' ? invalidParam('output_format', 'must not be svg') : undefined;
}
