export const LETTER_WIDTH = 5;
export const LETTER_HEIGHT = 7;

/** The rows of a letter, each as five bits. */
const LETTERS: Readonly<Record<string, readonly number[]>> = {
  A: [0b01110, 0b10001, 0b10001, 0b11111, 0b10001, 0b10001, 0b10001],
  D: [0b11110, 0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b11110],
  E: [0b11111, 0b10000, 0b10000, 0b11110, 0b10000, 0b10000, 0b11111],
  I: [0b01110, 0b00100, 0b00100, 0b00100, 0b00100, 0b00100, 0b01110],
  L: [0b10000, 0b10000, 0b10000, 0b10000, 0b10000, 0b10000, 0b11111],
  M: [0b10001, 0b11011, 0b10101, 0b10101, 0b10001, 0b10001, 0b10001],
  S: [0b01111, 0b10000, 0b10000, 0b01110, 0b00001, 0b00001, 0b11110],
  T: [0b11111, 0b00100, 0b00100, 0b00100, 0b00100, 0b00100, 0b00100],
  U: [0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b01110],
};

/** Yields the column and the row of each dot of a text. A letter that is not in the table is blank. */
export function* letterDots(text: string): Iterable<[column: number, row: number]> {
  for (const [place, letter] of [...text].entries())
    for (const [row, bits] of (LETTERS[letter] ?? []).entries())
      for (let column = 0; column < LETTER_WIDTH; column++)
        if ((bits & (1 << (LETTER_WIDTH - 1 - column))) !== 0)
          yield [place * (LETTER_WIDTH + 1) + column, row];
}
