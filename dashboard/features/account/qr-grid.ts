type Mask = (x: number, y: number) => boolean;

/** The masks of the standard, by their numbers. */
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
const CORRECTION_LEVEL = 0b01;

/** Appends the remainder of a division by a polynomial. */
function withRemainder(value: number, divisor: number, bits: number): number {
  let rest = value << bits;
  for (let bit = 31; bit >= bits; bit--) if (isSet(rest, bit)) rest ^= divisor << (bit - bits);
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

  /** Draws the lines of small squares, the rings in the corners and between them, and the version. */
  #drawPatterns(): void {
    const last = this.#size - 1;
    for (let place = 0; place <= last; place++) {
      this.#fix(6, place, place % 2 === 0);
      this.#fix(place, 6, place % 2 === 0);
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

  /** Draws the version, twice. Small codes do not show their version. */
  #drawVersion(): void {
    if (this.#version < 7) return;
    const bits = withRemainder(this.#version, 0x1f25, 12);
    for (let bit = 0; bit < 18; bit++) {
      const far = this.#size - 11 + (bit % 3);
      const near = Math.floor(bit / 3);
      this.#fix(far, near, isSet(bits, bit));
      this.#fix(near, far, isSet(bits, bit));
    }
  }

  /** Draws the level and the mask, twice. */
  #drawFormat(mask: number): void {
    const bits = withRemainder((CORRECTION_LEVEL << 3) | mask, 0x537, 10) ^ 0x5412;
    const last = this.#size - 1;
    for (let bit = 0; bit < 15; bit++) {
      const dark = isSet(bits, bit);
      if (bit < 8) {
        this.#fix(8, besideTiming(bit), dark);
        this.#fix(last - bit, 8, dark);
      } else {
        this.#fix(besideTiming(14 - bit), 8, dark);
        this.#fix(8, last - 14 + bit, dark);
      }
    }
    this.#fix(8, last - 7, true);
  }

  #drawBytes(bytes: readonly number[]): void {
    for (const [index, [x, y]] of this.#dataPlaces().entries())
      this.#squares[y]![x] = isSet(bytes[index >> 3] ?? 0, 7 - (index & 7));
  }

  /** Returns the places of the data: from the lower right corner, up and down in columns of two. */
  #dataPlaces(): (readonly [x: number, y: number])[] {
    const last = this.#size - 1;
    // The column of small squares at 6 belongs to no pair.
    const rightColumns = [
      ...Array.from({ length: (this.#size - 7) / 2 }, (_, pair) => last - 2 * pair),
      5,
      3,
      1,
    ];
    const places = rightColumns.flatMap((right, pair) =>
      Array.from({ length: this.#size }, (_, step) => (pair % 2 === 0 ? last - step : step)).flatMap((y) => [
        [right, y] as const,
        [right - 1, y] as const,
      ]),
    );
    return places.filter(([x, y]) => !this.#isFixed[y]![x]);
  }
}

/** Skips the line of small squares between the corners. */
const besideTiming = (place: number): number => (place < 6 ? place : place + 1);

const isSet = (value: number, bit: number): boolean => ((value >>> bit) & 1) === 1;

/** Long lines of one colour make a code hard to read. */
function noise(picture: readonly (readonly boolean[])[]): number {
  const lines = [...picture, ...picture.map((_, x) => picture.map((row) => row[x]!))];
  const text = lines.map((line) => line.map(Number).join('')).join('\n');
  return [...text.matchAll(/0{5,}|1{5,}/g)].reduce((sum, [run]) => sum + run.length - 2, 0);
}
