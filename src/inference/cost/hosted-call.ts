import { textOf } from '../../base/json/read-json.ts';
import { hostedKindOf } from '../../translation/members/hosted-kind-of.ts';
import { fetchesPages, findsTools } from '../../translation/members/hosted-tool-types.ts';
import type { VendorRunTool } from '../../translation/members/inspection.ts';
import { findFurtherModel } from './find-further-model.ts';
import type { HostedCall, HostedQuestion } from './hosted-group.ts';
import { MAX_TOKENS, readLimit, usualLimits } from './hosted-limits.ts';

/** Returns the most that one call of the tool can cost. */
export function hostedCall(tool: VendorRunTool['tool'], question: HostedQuestion): HostedCall {
  const { request, extras } = question;
  const { tokens: usual, image } = usualLimits(question);
  const type = textOf(tool['type']) ?? '';
  if (type.startsWith('advisor')) return adviceOf(tool, question);
  const price = hostedKindOf(tool)?.price;
  const isPriced = price !== undefined && request.extras?.priced.includes(price);
  const fee = (isPriced && extras.units[price]) || 0;
  if (price === 'image_generation') return { tokens: image, written: image, fee, advisor: undefined };
  if (findsTools(type)) return { tokens: 0, written: 0, fee, advisor: undefined };
  const wantedTokens = fetchesPages(type) ? readLimit(tool['max_content_tokens'], MAX_TOKENS) : undefined;
  return { tokens: wantedTokens ?? usual, written: 0, fee, advisor: undefined };
}

/** An advisor reads the conversation and writes advice, which the model reads in its later turns. */
function adviceOf(tool: VendorRunTool['tool'], question: HostedQuestion): HostedCall {
  const { exchange, entry, ratesOf } = question;
  const advisor = findFurtherModel(textOf(tool['model']), exchange.snapshot.catalog) ?? entry;
  const { maxOutput, contextWindow } = advisor.model;
  const output = Math.min(maxOutput ?? contextWindow, readLimit(tool['max_tokens'], MAX_TOKENS) ?? Infinity);
  const rates = advisor === entry ? question.rates : ratesOf(advisor);
  return { tokens: output, written: 0, fee: 0, advisor: { rates, output } };
}

/** Returns the most that any of the calls can cost. None of them consults a model. */
export function costliestCall(calls: readonly HostedCall[]): HostedCall {
  const most = (figure: 'tokens' | 'written' | 'fee') => Math.max(...calls.map((call) => call[figure]));
  return { tokens: most('tokens'), written: most('written'), fee: most('fee'), advisor: undefined };
}
