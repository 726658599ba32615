import { Refusal } from '../../src/base/errors/refusal.ts';
import type { JsonBody } from '../../src/base/json/json-body.ts';
import { parseBodyAtOnce } from '../../src/base/json/parse-body.ts';
import type { CanonicalRequest } from '../../src/translation/canonical/request.ts';
import { findTokenFamily } from '../../src/translation/tokens/find-token-family.ts';
import { PromptBound } from '../../src/translation/tokens/prompt-bound.ts';
import { TokenCounter } from '../../src/translation/tokens/token-counter.ts';
import { type CountText, loadSliceCounter } from '../../src/translation/tokens/vocabulary.ts';
import { BodyMaker, type Dialect } from './random-body.ts';
import { countCanonically, countRendered, countSimulated, decoded } from './true-counts.ts';

export type FuzzReport = {
  tries: number;
  /** Bodies whose hold is below their token count. */
  tooLow: { bound: number; counted: number; how: string; model: string; body: string }[];
};

export type FuzzOptions = { tries: number; random: () => number; onTry?: (tries: number) => void };

const WINDOW = 10_000_000;

const models = [
  { upstreamModel: 'gpt-4o', isSimulated: false },
  { upstreamModel: 'gpt-4', isSimulated: false },
  { upstreamModel: 'gpt-oss-120b', isSimulated: false },
  { upstreamModel: 'anything', isSimulated: true },
] as const;

/** Searches for a body whose hold is below its token count. */
export async function fuzzHolds({ tries, random, onTry }: FuzzOptions): Promise<FuzzReport> {
  const maker = new BodyMaker(random);
  const counter = new TokenCounter({ timeoutMs: 120_000 });
  const report: FuzzReport = { tries: 0, tooLow: [] };
  const counts = new Map<string, CountText>();
  try {
    for (; report.tries < tries; report.tries++) {
      onTry?.(report.tries);
      const model = models[report.tries % models.length]!;
      const family = findTokenFamily(model);
      const { vocabulary } = family;
      const loaded = counts.get(vocabulary) ?? (await loadSliceCounter(vocabulary));
      counts.set(vocabulary, loaded);
      const countText = countingOnce(loaded);
      const { dialect, value, text } = maker.next();
      const body = parseBodyAtOnce(text);
      if (body instanceof Refusal) continue; // two names may be one
      const canonical = decoded(dialect, body);
      const bound = await new PromptBound(asRead(dialect, body, canonical), counter).for({
        families: [family],
        contextWindow: WINDOW,
        isChat: dialect !== 'embeddings',
      });
      const truths = {
        rendered: model.isSimulated ? 0 : countRendered(body.value, countText),
        canonically: canonical ? countCanonically(canonical, { family, countText }) : 0,
        simulated: model.isSimulated ? countSimulated(dialect, value, countText) : 0,
      };
      for (const [how, counted] of Object.entries(truths))
        if (counted > bound)
          report.tooLow.push({ bound, counted, how, model: model.upstreamModel, body: text });
    }
  } finally {
    counter.close();
  }
  return report;
}

/** One dialect alone is decoded when it is read. */
const asRead = (dialect: Dialect, body: JsonBody, canonical: CanonicalRequest | undefined) =>
  dialect === 'messages' && canonical ? { body, canonical } : { body };

/** The same texts of one body are counted several times, and long ones are slow. */
function countingOnce(countText: CountText): CountText {
  const counted = new Map<string, number>();
  return (text) => {
    const count = counted.get(text) ?? countText(text);
    counted.set(text, count);
    return count;
  };
}
