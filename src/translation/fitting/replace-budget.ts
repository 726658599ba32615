import { type JsonBody, type JsonObject, knownBody } from '../../base/json/json-body.ts';
import { membersOf, patchJson } from '../../base/json/patch-json.ts';
import { objectOf } from '../../base/json/read-json.ts';
import { removePaths } from '../../base/json/remove-paths.ts';
import { setMembers } from '../../base/json/set-members.ts';
import { valueAt } from '../../base/json/value-at.ts';
import type { CanonicalRequest } from '../canonical/request.ts';
import { effortOfBudget } from '../encoding/efforts.ts';

/** The object of Google's dialect that can have a budget. */
const GOOGLE_PATH = ['generationConfig', 'thinkingConfig'];

/** Reports whether the client's own text has a budget of thinking tokens. Two dialects have one. */
export const textHasBudget = (body: JsonObject): boolean =>
  googleBudget(body) !== undefined || messagesBudget(body) !== undefined;

/**
 * Replaces a budget of thinking tokens with the nearest effort.
 * An effort of the request's own has precedence.
 */
export function replaceBudget(request: CanonicalRequest): CanonicalRequest {
  const { thinking } = request;
  if (thinking?.budgetTokens === undefined) return request;
  const { budgetTokens, ...kept } = thinking;
  const mode = kept.mode === 'enabled' ? 'adaptive' : kept.mode;
  return { ...request, thinking: { ...kept, mode, effort: kept.effort ?? effortOfBudget(budgetTokens) } };
}

/** Replaces a budget in the client's own text, in the dialect that has it. */
export function replaceTextBudget(body: JsonBody): JsonBody {
  const ofGoogle = googleBudget(body.value);
  if (ofGoogle !== undefined) return replaceGoogleBudget(body, ofGoogle);
  const ofMessages = messagesBudget(body.value);
  return ofMessages === undefined ? body : replaceMessagesBudget(body, ofMessages);
}

/** Returns the budget in Google's dialect, where 0 and -1 stand for no thinking and for any amount. */
function googleBudget(body: JsonObject): number | undefined {
  const { thinkingBudget } = objectOf(valueAt(body, GOOGLE_PATH));
  return typeof thinkingBudget === 'number' && thinkingBudget > 0 ? thinkingBudget : undefined;
}

function replaceGoogleBudget(body: JsonBody, budget: number): JsonBody {
  const { thinkingLevel } = objectOf(valueAt(body.value, GOOGLE_PATH));
  const withoutBudget = removePaths(body, [[...GOOGLE_PATH, 'thinkingBudget']]);
  return thinkingLevel == null
    ? setMembers(withoutBudget, GOOGLE_PATH, { thinkingLevel: effortOfBudget(budget) })
    : withoutBudget;
}

function messagesBudget(body: JsonObject): number | undefined {
  const { budget_tokens: budget } = objectOf(body['thinking']);
  return typeof budget === 'number' ? budget : undefined;
}

function replaceMessagesBudget(body: JsonBody, budget: number): JsonBody {
  const { budget_tokens: _budget, ...kept } = objectOf(body.value['thinking']);
  const adaptive = withMember(body, 'thinking', { ...kept, type: 'adaptive' });
  const config = body.value['output_config'];
  const effort = effortOfBudget(budget);
  if (config == null) return withMember(adaptive, 'output_config', { effort });
  return objectOf(config)['effort'] == null ? setMembers(adaptive, ['output_config'], { effort }) : adaptive;
}

function withMember({ text, value }: JsonBody, name: string, member: JsonObject): JsonBody {
  const patched = patchJson(text, membersOf(text), { [name]: JSON.stringify(member) });
  return knownBody(patched, { ...value, [name]: member });
}
