import { RandomDraws } from '../../src/base/lib/testing/random-draws.ts';

/** The draws of one input. They do not depend on the inputs before it, so that it can be made again alone. */
export class Draw extends RandomDraws {
  constructor(seed: number, input: number) {
    super(Math.imul(seed, 0x9e3779b1) ^ Math.imul(input + 1, 0x85ebca6b));
  }
}
