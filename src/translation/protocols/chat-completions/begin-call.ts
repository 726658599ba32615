/** The most calls of one answer. The search for the call of a piece takes longer with each call. */
const MAX_CALLS = 2_000;

/** Adds a call to those of its answer. Fails at an answer with more calls than any model makes. */
export function beginCall<Call>(calls: Call[], call: Call): Call {
  if (calls.length === MAX_CALLS) throw new SyntaxError('the answer has too many calls');
  calls.push(call);
  return call;
}
