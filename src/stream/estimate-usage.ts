import type { Usage } from '../canonical/usage.ts';

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

/** What an answer has used, as the upstream counts it; else as we do, and marked so. */
export function estimateUsage({ reported, saidLength, isWhole, estimateInput }: Produced): Usage {
  if (reported && isWhole) return reported;
  const visible = Math.ceil(saidLength / CHARACTERS_PER_TOKEN);
  if (!reported) return { input: { uncached: estimateInput() }, output: { visible }, isEstimated: true };
  const { output } = reported;
  if (output.visible + (output.thinking ?? 0) >= visible) return reported;
  return { ...reported, output: { visible }, isEstimated: true };
}

/** Members of an answer, in any dialect, that hold what the model wrote. */
const written = new Set([
  ...['content', 'text', 'refusal', 'reasoning_content', 'reasoning', 'thinking'],
  ...['arguments', 'input', 'partial_json'],
]);

/** How much text a whole answer is. */
export function saidLengthIn(value: unknown, isWritten = false): number {
  if (typeof value === 'string') return isWritten ? value.length : 0;
  if (typeof value !== 'object' || value === null) return 0;
  let length = 0;
  for (const [key, member] of Object.entries(value)) {
    length += saidLengthIn(member, Array.isArray(value) ? isWritten : written.has(key));
  }
  return length;
}
