import { type CallRecord, type CallUsage, producedBy } from './call-record.ts';

export const NO_USAGE: CallUsage = { input: 0, cacheRead: 0, output: 0 };

export const sumUsage = (usages: readonly CallUsage[]): CallUsage =>
  usages.reduce(
    (sum, { input, cacheRead, output }) => ({
      input: sum.input + input,
      cacheRead: sum.cacheRead + cacheRead,
      output: sum.output + output,
    }),
    NO_USAGE,
  );

/** Returns the usage when the call ended. Only a stream shows how far the upstream had come. */
export const usageAtEnd = ({ ending, isStream, usage, produced }: CallRecord): CallUsage =>
  ending === 'complete' || !isStream ? usage : { ...usage, output: produced.at(-1)?.[1] ?? 0 };

/** Returns the usage of what the client had been shown at a time. Nothing is shown before the head. */
export function usageShownAt(call: CallRecord, at: number): CallUsage {
  const { usage, hidden, headAt } = call;
  if (headAt === undefined || headAt > at) return NO_USAGE;
  return { ...usage, output: Math.max(0, producedBy(call, at) - hidden) };
}
