/**
 * Returns what is wrong with a session. The simulator's last answers repeat the note that the tool has read,
 * and answer the second order. `calls` are those of a client that must open a socket.
 */
export function sessionProblem({ code, output }, { note, turns, calls }) {
  if (code !== 0) return `ended with ${code}`;
  // Terminals break lines anywhere, so spaces do not count.
  const text = output.replace(/\s+/g, '');
  const answerAt = text.indexOf(note, text.indexOf('[simulated]') + 1);
  if (!text.includes('[simulated]') || answerAt < 0) return 'no final answer with the content of the note';
  if (turns !== 1 && !text.includes('[simulated]secondturn')) return 'no answer to the second turn';
  return calls && socketProblem(calls);
}

/** Reports a client that has sent a turn over HTTP, although it opens sockets. */
function socketProblem(calls) {
  if (!calls.includes('GET /v1/responses 101')) return 'no WebSocket was opened';
  const turns = calls.filter((call) => call.startsWith('POST /v1/responses'));
  return turns.length > 0 ? `${turns.length} turns were sent over HTTP` : undefined;
}
