import { inputTotal, outputTotal, type Usage } from './usage.ts';

/** What text is on average, in most languages and in code. */
const CHARACTERS_PER_TOKEN = 4;

export type Produced = {
  /** What the upstream said of it, if it did. */
  reported: Usage | undefined;
  /** How much text its answer is. */
  saidLength: number;
  /** Whether the answer came to its end: before it, a report counts what had been produced until then, or nothing of it. */
  isWhole: boolean;
  estimateInput(): number;
};

/** What an answer has used, as the upstream counts it; what it does not count is counted by us, and marked so. */
export function estimateUsage({ reported, saidLength, isWhole, estimateInput }: Produced): Usage {
  const visible = Math.ceil(saidLength / CHARACTERS_PER_TOKEN);
  const counted = reported ? outputTotal(reported) : 0;
  const input = reported && inputTotal(reported) > 0 ? reported.input : undefined;
  const output = (isWhole && counted > 0) || counted >= visible ? reported?.output : undefined;
  if (reported && input && output) return reported;
  return {
    input: input ?? { uncached: estimateInput() },
    output: output ?? { visible },
    isEstimated: true,
  };
}

/** The same of a whole answer: what is written in it is only measured where the upstream did not count. */
export function usageOfWhole(
  reported: Usage | undefined,
  written: unknown,
  estimateInput: () => number,
): Usage {
  if (reported && inputTotal(reported) > 0 && outputTotal(reported) > 0) return reported;
  return estimateUsage({ reported, saidLength: saidLengthIn(written), isWhole: true, estimateInput });
}

/** Members of an answer, in any dialect, that hold what the model wrote. */
const written = new Set([
  ...['content', 'text', 'refusal', 'reasoning_content', 'reasoning', 'thinking'],
  ...['arguments', 'input', 'partial_json'],
]);

const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** How much text a whole answer is. */
export function saidLengthIn(value: unknown, isWritten = false): number {
  if (typeof value === 'string') return isWritten ? value.length : 0;
  if (typeof value !== 'object' || value === null) return 0;
  let length = 0;
  if (Array.isArray(value)) {
    for (const member of value) length += saidLengthIn(member, isWritten);
    return length;
  }
  const members = value as Record<string, unknown>;
  for (const key in members) {
    const member = members[key];
    if (key === 'input' && isObject(member)) length += JSON.stringify(member).length;
    else length += saidLengthIn(member, written.has(key));
  }
  return length;
}
