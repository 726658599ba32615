import { Agent } from 'node:https';
import { askProxy } from './ask-proxy.mjs';

const CLIENTS = 16;
/** Between two requests of a client, so that the machine keeps up. */
const PAUSE_MS = 40;

/** Sends a request, and returns what is wrong with its answer. */
async function findFault(target, { agent, key, isStreamed }) {
  const messages = [{ role: 'user', content: 'Hello' }];
  try {
    const { status, text } = await askProxy(target, '/v1/chat/completions', {
      method: 'POST',
      agent,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'test-model', messages, stream: isStreamed }),
    });
    const isWhole = text.includes(isStreamed ? '[DONE]' : 'whole');
    return status === 200 && isWhole ? undefined : `${status}: ${text.slice(0, 120)}`;
  } catch (error) {
    return `no whole answer: ${error.message}`;
  }
}

/** Sends requests through the proxy until it is stopped, over kept connections and new ones. */
export function startRollingLoad(target, key) {
  const counts = { sent: 0, lost: [] };
  let isOver = false;
  const client = async (index) => {
    const agent = new Agent({ keepAlive: index % 2 === 0, maxSockets: 1 });
    while (!isOver) {
      counts.sent++;
      const fault = await findFault(target, { agent, key, isStreamed: index % 4 === 0 });
      if (fault) counts.lost.push(fault);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
    agent.destroy();
  };
  const running = Array.from({ length: CLIENTS }, (_, index) => client(index));
  const stop = async () => {
    isOver = true;
    await Promise.all(running);
    return counts;
  };
  return { counts, stop };
}
