import { listOf, objectOf, textOf } from '../../../base/json/read-json.ts';
import { entriesOf } from '../../../base/lib/records.ts';
import type { Fields } from '../../../base/schema/json-type.ts';
import { detailOf } from '../../canonical/combine-details.ts';
import { tierPrice } from '../../canonical/service-tiers.ts';
import { type Usage, usageOfTotals } from '../../canonical/usage.ts';
import type { DetailCounts } from '../../canonical/usage-detail.ts';
import { countOf } from '../../framing/count-of.ts';

/** The token counts that both of Google's protocols report. Only `total` and `prompt` include others. */
type TokenCount = 'prompt' | 'cached' | 'tools' | 'output' | 'thinking' | 'total';

/** Counts with a price of their own. */
type PricedCount = Extract<keyof DetailCounts, 'audio_input' | 'audio_output' | 'web_search'>;

/** The largest value that the reports of an answer have given each count, and the tier that served it. */
export type ReportedCounts = Partial<Record<TokenCount | PricedCount, number>> & { tier?: string };

/** A list that divides a count. `count` is read from the entry whose member `by` is `word`, in any case. */
type DividedCount = { list: string; by: string; word: string; count: string; name: PricedCount };

/** The members of a report in one of the protocols. */
type ReportLayout = {
  fields: Readonly<Record<TokenCount, string>>;
  divided: readonly DividedCount[];
  /** Returns the word for the tier in a report. Left out if reports have none. */
  tier?(report: Fields): string | undefined;
};

/**
 * Creates the function that adds a report to the counts of an answer. Reports are cumulative, but a later
 * one may omit counts. Output of 0 replaces an earlier count, and the output is then estimated: a last
 * report without output has not counted it, and an earlier one covers only the beginning.
 */
export function createCountReader({ fields, divided, tier }: ReportLayout) {
  const namedFields = entriesOf(fields);
  return (earlier: ReportedCounts, reported: unknown): ReportedCounts => {
    const report = objectOf(reported);
    const counts: ReportedCounts = { ...earlier };
    for (const [name, field] of namedFields) {
      const count = countOf(report[field]);
      if (count === undefined) continue;
      counts[name] = name === 'output' && count === 0 ? 0 : Math.max(count, earlier[name] ?? 0);
    }
    const served = tier?.(report);
    if (served !== undefined) counts.tier = served;
    for (const { list, by, word, count, name } of divided) {
      for (const entry of listOf(report[list]).map(objectOf))
        if (textOf(entry[by])?.toLowerCase() === word.toLowerCase())
          counts[name] = Math.max(countOf(entry[count]) ?? 0, earlier[name] ?? 0);
    }
    return counts;
  };
}

/**
 * Computes usage. The output excludes thoughts, and the prompt excludes results of hosted tools. `tier`: the
 * vendor's word for the tier that served the request.
 */
export function usageOf(counts: ReportedCounts, tier: unknown = counts.tier): Usage | undefined {
  const { prompt, cached, tools = 0, thinking, total = 0 } = counts;
  if (prompt === undefined) return undefined;
  const unlistedOutput = Math.max(0, total - prompt - tools - (thinking ?? 0));
  const usage = usageOfTotals({
    input: prompt + tools,
    cacheRead: cached && Math.min(cached, prompt),
    output: (counts.output ?? unlistedOutput) + (thinking ?? 0),
    thinking,
  });
  const { audio_input = 0, audio_output = 0, web_search = 0 } = counts;
  const factor = tierPrice(tier);
  if (audio_input + audio_output + web_search === 0 && !factor) return usage;
  const factors = factor ? [factor] : [];
  return { ...usage, detail: detailOf({ counts: { audio_input, audio_output, web_search }, factors }) };
}
