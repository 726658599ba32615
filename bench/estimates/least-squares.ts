/** One equation: the sum of `values` times the unknowns at `places` is `result`. */
export type Equation = { places: Int32Array; values: Float64Array; result: number };

type Terms = { penalties: Float64Array; priors: Float64Array };

const STEPS = 300;
const EXACT = 1e-14;

/**
 * Solves the equations by penalized least squares, with the method of conjugate gradients.
 * An unknown without evidence keeps its prior.
 */
export function leastSquares(equations: readonly Equation[], { penalties, priors }: Terms): Float64Array {
  const solution = priors.slice();
  const residual = times(equations, penalties, solution);
  for (let at = 0; at < residual.length; at++) residual[at] = penalties[at]! * priors[at]! - residual[at]!;
  for (const { places, values, result } of equations)
    for (let at = 0; at < places.length; at++) residual[places[at]!]! += values[at]! * result;
  const direction = residual.slice();
  let square = dot(residual, residual);
  for (let step = 0; step < STEPS && square > EXACT; step++) {
    const image = times(equations, penalties, direction);
    const length = square / dot(direction, image);
    for (let at = 0; at < solution.length; at++) {
      solution[at]! += length * direction[at]!;
      residual[at]! -= length * image[at]!;
    }
    const next = dot(residual, residual);
    for (let at = 0; at < solution.length; at++)
      direction[at] = residual[at]! + (next / square) * direction[at]!;
    square = next;
  }
  return solution;
}

function dot(one: Float64Array, other: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < one.length; at++) sum += one[at]! * other[at]!;
  return sum;
}

/** Multiplies a vector by the matrix of the normal equations. */
function times(equations: readonly Equation[], penalties: Float64Array, vector: Float64Array): Float64Array {
  const image = vector.map((value, at) => value * penalties[at]!);
  for (const { places, values } of equations) {
    let sum = 0;
    for (let at = 0; at < places.length; at++) sum += values[at]! * vector[places[at]!]!;
    for (let at = 0; at < places.length; at++) image[places[at]!]! += sum * values[at]!;
  }
  return image;
}
