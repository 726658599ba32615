import { listenFaultOf } from '../../edge/http/listen-fault-of.ts';
import { resolveHost } from '../../edge/http/resolve-host.ts';
import { serveSimulator } from '../../simulator/serving/serve-simulator.ts';
import type { Run } from './command.ts';
import { CommandFailure } from './command-failure.ts';
import type { Invocation } from './invocation.ts';
import { printJson } from './print-answer.ts';
import { INTERRUPTED, type StopSignal } from './process-signals.ts';

export const DEFAULT_PORT = 9001;

/** Runs the simulator until a signal stops it. */
export const simulateCommand: Run = async (invocation) => {
  const simulator = await start(invocation);
  // The handlers come first, since the reader of the address may send a signal at once.
  const stop = new Promise<StopSignal>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve(signal));
  });
  if (invocation.flag('json')) printJson(invocation, { url: simulator.url, base_url: `${simulator.url}/v1` });
  else
    invocation.terminal.print(
      `The simulator listens at ${simulator.url} and serves all wires. base_url: ${simulator.url}/v1`,
    );
  const signal = await stop;
  await simulator.stop();
  return signal === 'SIGINT' ? INTERRUPTED : 0;
};

async function start(invocation: Invocation) {
  const port = invocation.number('port') ?? DEFAULT_PORT;
  const hostname = invocation.text('host');
  const apiKey = invocation.text('api-key');
  const tokensPerSecond = invocation.number('tokens-per-second');
  try {
    if (hostname !== undefined) await resolveHost(hostname);
    return serveSimulator({
      port,
      hostname,
      ...(apiKey !== undefined && { apiKey }),
      ...(tokensPerSecond !== undefined && { tokensPerSecond }),
    });
  } catch (error) {
    const fault = listenFaultOf(error);
    if (fault === undefined) throw error;
    throw new CommandFailure(`the address ${hostname}:${port} ${fault.message}: ${fault.usualMend}`);
  }
}
