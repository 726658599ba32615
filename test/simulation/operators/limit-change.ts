/** A change of a limit by operators. The first one of an account is its creation. */
export type LimitChange = {
  readonly microcredits: number;
  readonly sentAt: number;
  /** Undefined if no answer has confirmed it. */
  answeredAt: number | undefined;
};

/** A span of time in which a limit certainly had one value. */
type SteadyLimit = { microcredits: number; from: number; until: number };

/** Returns the spans in which no change of a limit was under way. */
export function steadyLimits(changes: readonly LimitChange[]): SteadyLimit[] {
  return changes.flatMap(({ microcredits, answeredAt }, index) => {
    if (answeredAt === undefined) return [];
    return [
      { microcredits, from: answeredAt, until: changes[index + 1]?.sentAt ?? Number.POSITIVE_INFINITY },
    ];
  });
}

/** Returns the highest limit that was possible in a span of time. */
export const highestLimit = (changes: readonly LimitChange[], from: number, until: number): number => {
  const latest = changes.findLastIndex(({ answeredAt }) => answeredAt !== undefined && answeredAt <= from);
  const possible = changes.slice(Math.max(0, latest)).filter(({ sentAt }) => sentAt <= until);
  return Math.max(...possible.map(({ microcredits }) => microcredits));
};
