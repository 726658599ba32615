import type { Field } from '../model/field.ts';
import { claudeRules } from './vendor-rules/claude-rules.ts';
import { compatibleRules } from './vendor-rules/compatible-rules.ts';
import { googleRules } from './vendor-rules/google-rules.ts';
import { openaiRules } from './vendor-rules/openai-rules.ts';
import { refuseEffort } from './vendor-rules/refuse-effort.ts';
import type { VendorRule, VendorTarget } from './vendor-rules/vendor-rule.ts';

const rules: readonly VendorRule[] = [...claudeRules, ...openaiRules, ...googleRules, ...compatibleRules];

/** Throws if the model's own vendor would refuse the request. */
export function refuseAsVendor(body: Field, target: VendorTarget): void {
  for (const { models, wires, check } of rules) {
    const refusal =
      models.test(target.model) && wires.includes(target.wire) ? check(body, target) : undefined;
    if (refusal) throw refusal;
  }
  const refusedEffort = refuseEffort(body, target);
  if (refusedEffort) throw refusedEffort;
}
