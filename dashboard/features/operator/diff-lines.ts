type DiffLine = { kind: 'same' | 'added' | 'removed'; text: string };

/** Above this many changed lines the comparison would take too long, so they are shown as replaced. */
const MAX_COMPARED = 1_500;

const linesOf = (kind: DiffLine['kind'], texts: readonly string[]): DiffLine[] =>
  texts.map((text) => ({ kind, text }));

/** Compares two texts line by line. */
export function diffLines(beforeText: string, afterText: string): DiffLine[] {
  const before = beforeText.split('\n');
  const after = afterText.split('\n');
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  return [
    ...linesOf('same', before.slice(0, head)),
    ...diffMiddle(before.slice(head, before.length - tail), after.slice(head, after.length - tail)),
    ...linesOf('same', before.slice(before.length - tail)),
  ];
}

/** Compares the lines between the first and the last difference. */
function diffMiddle(before: readonly string[], after: readonly string[]): DiffLine[] {
  if (before.length > MAX_COMPARED || after.length > MAX_COMPARED)
    return [...linesOf('removed', before), ...linesOf('added', after)];
  const lengths = commonLengths(before, after);
  const lengthAt = (row: number, column: number): number => lengths[row]?.[column] ?? 0;
  const lines: DiffLine[] = [];
  let row = 0;
  let column = 0;
  for (;;) {
    const removed = before[row];
    const added = after[column];
    if (removed === undefined || added === undefined)
      return [...lines, ...linesOf('removed', before.slice(row)), ...linesOf('added', after.slice(column))];
    if (removed === added) {
      lines.push({ kind: 'same', text: removed });
      row++;
      column++;
    } else if (lengthAt(row + 1, column) >= lengthAt(row, column + 1)) {
      lines.push({ kind: 'removed', text: removed });
      row++;
    } else {
      lines.push({ kind: 'added', text: added });
      column++;
    }
  }
}

/** Returns the length of the longest common sequence of each end of one list and each end of the other. */
function commonLengths(before: readonly string[], after: readonly string[]): number[][] {
  const lengths: number[][] = [];
  for (let row = before.length - 1; row >= 0; row--) {
    const below = lengths[row + 1] ?? [];
    const current = new Array<number>(after.length).fill(0);
    for (let column = after.length - 1; column >= 0; column--)
      current[column] =
        before[row] === after[column]
          ? (below[column + 1] ?? 0) + 1
          : Math.max(below[column] ?? 0, current[column + 1] ?? 0);
    lengths[row] = current;
  }
  return lengths;
}

/** Returns changed lines and a few around them. */
export function changedParts(lines: readonly DiffLine[], around = 3): DiffLine[] {
  const isNear = lines.map((_, index) =>
    lines.slice(Math.max(0, index - around), index + around + 1).some(({ kind }) => kind !== 'same'),
  );
  return lines.filter((_, index) => isNear[index]);
}
