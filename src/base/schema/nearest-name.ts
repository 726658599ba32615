const MAX_LENGTH = 64;

/** Computes the edit distance. Swapping two neighbouring characters counts as one edit. */
function editDistance(from: string, to: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const changed = from[row - 1] === to[column - 1] ? 0 : 1;
      const swapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      current[column] = Math.min(
        previous[column]! + 1,
        current[column - 1]! + 1,
        previous[column - 1]! + changed,
        swapped ? beforePrevious[column - 2]! + 1 : Number.POSITIVE_INFINITY,
      );
    }
    beforePrevious = previous;
    previous = current;
  }
  return previous[to.length]!;
}

const bare = (name: string): string => name.toLowerCase().replaceAll(/[-_ .]/g, '');

function distance(name: string, candidate: string): number {
  return bare(name) === bare(candidate) ? 0 : editDistance(name.toLowerCase(), candidate.toLowerCase());
}

/** Returns the known name that the writer most likely meant, or undefined if none is close. */
export function nearestName(name: string, names: readonly string[]): string | undefined {
  if (name.length > MAX_LENGTH) return undefined;
  let best: string | undefined;
  let least = Math.max(1, Math.floor(name.length / 3)) + 1;
  for (const candidate of names) {
    const edits = distance(name, candidate);
    if (edits < least && edits < candidate.length) [best, least] = [candidate, edits];
  }
  return best;
}
