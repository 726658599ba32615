import { bearer, type Json } from './call.ts';
import { waitFor } from './wait-for.ts';

/** The types of the last event of a turn. */
export const TURN_ENDS = ['response.completed', 'response.incomplete', 'response.failed', 'error'];

/** Opens a socket for responses, and collects what the server sends. */
export async function openResponsesSocket(url: string, key: string) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/responses`, {
    headers: bearer(key),
  } as never);
  const events: Json[] = [];
  let code: number | undefined;
  socket.onmessage = ({ data }) => events.push(JSON.parse(String(data)));
  socket.onclose = (event) => {
    code = event.code;
  };
  await waitFor(() => socket.readyState !== WebSocket.CONNECTING);
  const next = async (isIt: (event: Json) => boolean, from = 0): Promise<Json> => {
    await waitFor(() => events.slice(from).some(isIt));
    return events.slice(from).find(isIt);
  };
  /** Sends an event, or a text as it is. */
  const send = (event: Json) => socket.send(typeof event === 'string' ? event : JSON.stringify(event));
  const begin = (fields: Json) => send({ type: 'response.create', ...fields });
  return {
    events,
    send,
    next,
    begin,
    close: () => socket.close(),
    closed: () => code,
    isOpen: () => socket.readyState === WebSocket.OPEN,
    /** Sends a turn, and returns its events. */
    async turn(fields: Json): Promise<Json[]> {
      const from = events.length;
      begin(fields);
      await next(({ type }) => TURN_ENDS.includes(type), from);
      return events.slice(from);
    },
  };
}
