export type DiffLine = { kind: 'same' | 'added' | 'removed'; text: string };

/** Above this many changed lines the comparison would take too long, so they are shown as replaced. */
const MAX_COMPARED = 1_500;

/** Compares two texts line by line. */
export function diffLines(before: string, after: string): DiffLine[] {
  const [old, now] = [before.split('\n'), after.split('\n')];
  let head = 0;
  while (head < Math.min(old.length, now.length) && old[head] === now[head]) head++;
  let tail = 0;
  const most = Math.min(old.length, now.length) - head;
  while (tail < most && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail++;
  const same = (texts: string[]): DiffLine[] => texts.map((text) => ({ kind: 'same', text }));
  return [
    ...same(old.slice(0, head)),
    ...diffMiddle(old.slice(head, old.length - tail), now.slice(head, now.length - tail)),
    ...same(old.slice(old.length - tail)),
  ];
}

function diffMiddle(old: readonly string[], now: readonly string[]): DiffLine[] {
  const removed = (text: string): DiffLine => ({ kind: 'removed', text });
  const added = (text: string): DiffLine => ({ kind: 'added', text });
  if (old.length > MAX_COMPARED || now.length > MAX_COMPARED) return [...old.map(removed), ...now.map(added)];
  const lengths = commonLengths(old, now);
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    if (i < old.length && j < now.length && old[i] === now[j]) {
      lines.push({ kind: 'same', text: old[i]! });
      i++;
      j++;
    } else if (j >= now.length || (i < old.length && lengths[i + 1]![j]! >= lengths[i]![j + 1]!)) {
      lines.push(removed(old[i++]!));
    } else lines.push(added(now[j++]!));
  }
  return lines;
}

/** The lengths of the longest common sequences of all ends of both lists. */
function commonLengths(old: readonly string[], now: readonly string[]): number[][] {
  const lengths = Array.from({ length: old.length + 1 }, () => new Array<number>(now.length + 1).fill(0));
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = now.length - 1; j >= 0; j--)
      lengths[i]![j] =
        old[i] === now[j] ? lengths[i + 1]![j + 1]! + 1 : Math.max(lengths[i + 1]![j]!, lengths[i]![j + 1]!);
  return lengths;
}

/** Returns changed lines and a few around them. */
export function changedParts(lines: readonly DiffLine[], around = 3): DiffLine[] {
  const isNear = lines.map((_, index) =>
    lines.slice(Math.max(0, index - around), index + around + 1).some(({ kind }) => kind !== 'same'),
  );
  return lines.filter((_, index) => isNear[index]);
}
