type Mask = (x: number, y: number) => boolean;

const masks: readonly Mask[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

/** The lowest level of correction. */
const LEVEL = 0b01;

/** Appends the remainder of a division by a polynomial. */
function withRemainder(value: number, divisor: number, bits: number): number {
  let rest = value << bits;
  for (let bit = 31; bit >= bits; bit--) if ((rest >>> bit) & 1) rest ^= divisor << (bit - bits);
  return (value << bits) | rest;
}

/** The squares of a code. Those of fixed patterns hold no data. */
export class QrGrid {
  readonly #version: number;
  readonly #size: number;
  readonly #squares: boolean[][];
  readonly #isFixed: boolean[][];

  constructor(version: number) {
    this.#version = version;
    this.#size = 4 * version + 17;
    const empty = () => Array.from({ length: this.#size }, () => Array<boolean>(this.#size).fill(false));
    this.#squares = empty();
    this.#isFixed = empty();
  }

  /** Draws the bytes with the mask that gives the quietest picture. */
  draw(bytes: readonly number[]): boolean[][] {
    this.#drawPatterns();
    this.#drawFormat(0);
    this.#drawBytes(bytes);
    const pictures = masks.map((mask, index) => {
      this.#drawFormat(index);
      return this.#squares.map((row, y) =>
        row.map((dark, x) => (this.#isFixed[y]![x] ? dark : dark !== mask(x, y))),
      );
    });
    return pictures.toSorted((a, b) => noise(a) - noise(b))[0]!;
  }

  #fix(x: number, y: number, dark: boolean): void {
    if (x < 0 || y < 0 || x >= this.#size || y >= this.#size) return;
    this.#squares[y]![x] = dark;
    this.#isFixed[y]![x] = true;
  }

  #drawPatterns(): void {
    const last = this.#size - 1;
    for (let at = 0; at <= last; at++) {
      this.#fix(6, at, at % 2 === 0);
      this.#fix(at, 6, at % 2 === 0);
    }
    const centres = this.#centres();
    for (const x of centres)
      for (const y of centres) {
        const isCorner = (x === 6 && y === 6) || (x === 6 && y === last - 6) || (x === last - 6 && y === 6);
        if (!isCorner) this.#drawRings(x, y, 2, (ring) => ring !== 1);
      }
    for (const [x, y] of [
      [3, 3],
      [last - 3, 3],
      [3, last - 3],
    ] as const)
      this.#drawRings(x, y, 4, (ring) => ring !== 2 && ring !== 4);
    this.#drawVersion();
  }

  /** Returns the places of the small patterns, in both directions. */
  #centres(): number[] {
    if (this.#version < 2) return [];
    const count = Math.floor(this.#version / 7) + 2;
    const step = Math.ceil((this.#size - 13) / (2 * count - 2)) * 2;
    return [
      6,
      ...Array.from({ length: count - 1 }, (_, index) => this.#size - 7 - index * step).toReversed(),
    ];
  }

  #drawRings(x: number, y: number, radius: number, isDark: (ring: number) => boolean): void {
    for (let down = -radius; down <= radius; down++)
      for (let right = -radius; right <= radius; right++)
        this.#fix(x + right, y + down, isDark(Math.max(Math.abs(right), Math.abs(down))));
  }

  #drawVersion(): void {
    if (this.#version < 7) return;
    const bits = withRemainder(this.#version, 0x1f25, 12);
    for (let bit = 0; bit < 18; bit++) {
      const [far, near] = [this.#size - 11 + (bit % 3), Math.floor(bit / 3)];
      this.#fix(far, near, ((bits >>> bit) & 1) === 1);
      this.#fix(near, far, ((bits >>> bit) & 1) === 1);
    }
  }

  /** Draws the level and the mask, twice. */
  #drawFormat(mask: number): void {
    const bits = withRemainder((LEVEL << 3) | mask, 0x537, 10) ^ 0x5412;
    const last = this.#size - 1;
    for (let bit = 0; bit < 15; bit++) {
      const dark = ((bits >>> bit) & 1) === 1;
      // The lines of small squares between the corners are not part of it.
      const near = (at: number) => (at < 6 ? at : at + 1);
      if (bit < 8) this.#fix(8, near(bit), dark);
      else this.#fix(near(14 - bit), 8, dark);
      if (bit < 8) this.#fix(last - bit, 8, dark);
      else this.#fix(8, last - 14 + bit, dark);
    }
    this.#fix(8, last - 7, true);
  }

  /** Draws the bytes from the lower right corner, up and down in columns of two. */
  #drawBytes(bytes: readonly number[]): void {
    let bit = 0;
    let isUp = true;
    for (let right = this.#size - 1; right >= 1; right -= 2) {
      if (right === 6) right = 5;
      for (let step = 0; step < this.#size; step++) {
        const y = isUp ? this.#size - 1 - step : step;
        for (const x of [right, right - 1]) {
          if (this.#isFixed[y]![x]) continue;
          this.#squares[y]![x] = (((bytes[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1) === 1;
          bit++;
        }
      }
      isUp = !isUp;
    }
  }
}

/** Long lines of one colour make a code hard to read. */
function noise(picture: readonly (readonly boolean[])[]): number {
  const lines = [...picture, ...picture.map((_, x) => picture.map((row) => row[x]!))];
  const text = lines.map((line) => line.map(Number).join('')).join('\n');
  return [...text.matchAll(/0{5,}|1{5,}/g)].reduce((sum, [run]) => sum + run.length - 2, 0);
}
