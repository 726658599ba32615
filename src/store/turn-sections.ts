import type { ListedSection } from '../inference/responses/response-store.ts';

type Section = Pick<ListedSection, 'part' | 'isOutput' | 'items' | 'bytes'>;

/** A turn's place in a listing, and its lists. `first` is the place of its first item. */
export type TurnPlace = {
  turnId: string;
  model: string;
  first: number;
  /** The output of the last turn is not listed. */
  isLast: boolean;
  /** The lists in the turn's row. A list of no bytes is in parts. */
  inside: { input: Pick<Section, 'items' | 'bytes'>; output: Pick<Section, 'items' | 'bytes'> };
  parts: readonly Section[];
};

/** Returns the sections of a turn in the order of the listing. */
export function turnSections({ turnId, model, first, isLast, inside, parts }: TurnPlace): ListedSection[] {
  const rows = [
    { part: null, isOutput: false, ...inside.input },
    { part: null, isOutput: true, ...inside.output },
  ].filter(({ bytes }) => bytes > 0);
  const all = [...rows, ...parts].sort((one, other) => Number(one.isOutput) - Number(other.isOutput));
  let place = first;
  return all
    .filter(({ isOutput }) => !isOutput || !isLast)
    .map((section) => {
      const placed = { turnId, model, ...section, first: place };
      place += section.items;
      return placed;
    });
}
