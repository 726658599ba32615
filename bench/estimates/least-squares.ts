/** An equation: the sum of the numbered unknowns, each times its factor, is `result`. */
export type Equation = { unknowns: Int32Array; factors: Float64Array; result: number };

/** The cost of the squared distance of each unknown from its prior. */
export type Regularization = { penalties: Float64Array; priors: Float64Array };

const MAX_STEPS = 300;
/** The solution is exact enough if the sum of the squared residuals is below this. */
const MAX_RESIDUAL = 1e-14;

/**
 * Solves the equations by penalized least squares, with the method of conjugate gradients.
 * An unknown without evidence keeps its prior.
 */
export function leastSquares(
  equations: readonly Equation[],
  { penalties, priors }: Regularization,
): Float64Array {
  const solution = priors.slice();
  const residual = multiply(equations, penalties, solution);
  for (let at = 0; at < residual.length; at++) residual[at] = penalties[at]! * priors[at]! - residual[at]!;
  for (const { unknowns, factors, result } of equations)
    for (let at = 0; at < unknowns.length; at++) residual[unknowns[at]!]! += factors[at]! * result;
  const direction = residual.slice();
  let square = dot(residual, residual);
  for (let step = 0; step < MAX_STEPS && square > MAX_RESIDUAL; step++) {
    const image = multiply(equations, penalties, direction);
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
function multiply(
  equations: readonly Equation[],
  penalties: Float64Array,
  vector: Float64Array,
): Float64Array {
  const image = vector.map((value, at) => value * penalties[at]!);
  for (const { unknowns, factors } of equations) {
    let sum = 0;
    for (let at = 0; at < unknowns.length; at++) sum += factors[at]! * vector[unknowns[at]!]!;
    for (let at = 0; at < unknowns.length; at++) image[unknowns[at]!]! += sum * factors[at]!;
  }
  return image;
}
