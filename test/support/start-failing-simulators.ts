import { serveSimulator } from '../../src/simulator/serving/serve-simulator.ts';
import { ableModel, chatWires, wirePrefix } from './wire-models.ts';

/** Starts simulators with a model on each wire, one that stalls, one that fails and one that breaks off. */
export function startFailingSimulators(models: readonly object[] = []) {
  let stalled = Promise.withResolvers<void>();
  const upstream = serveSimulator({ beforeFault: () => stalled.promise });
  const breaking = serveSimulator();
  return {
    upstream,
    config: {
      providers: [
        ...chatWires.map((wire) => ({ id: wire, wire, base_url: upstream.url + wirePrefix[wire] })),
        { id: 'breaking', wire: 'openai-chat', base_url: `${breaking.url}/v1` },
      ],
      catalog: {
        default: false,
        models: [
          ...chatWires.map((wire) => ableModel(`on-${wire}`, [{ provider: wire, model: wire }])),
          ableModel('slow', [{ provider: 'openai-chat', model: 'slow!stall-after=3' }]),
          ableModel('failing', [{ provider: 'openai-chat', model: 'failing!status=500' }]),
          ableModel('cut', [{ provider: 'breaking', model: 'cut!cut-after=6' }]),
          ...models,
        ],
      },
    },
    /** Lets the stalled answers continue. Later answers stall again. */
    resume() {
      stalled.resolve();
      stalled = Promise.withResolvers();
    },
    async stop() {
      await upstream.stop();
      await breaking.stop();
    },
  };
}
