import { randomText } from '../../base/lib/ids.ts';
import { serveSimulator } from './serve-simulator.ts';

export type EmbeddedSimulator = { url: string; apiKey: string };

/**
 * Starts the simulator in the gateway's process. It serves HTTP on a separate port, with a key that only the
 * gateway has.
 */
export function embedSimulator() {
  let running: { served: ReturnType<typeof serveSimulator>; apiKey: string } | undefined;
  return {
    start({ tokens_per_second }: { tokens_per_second: number | null }): EmbeddedSimulator {
      const apiKey = running?.apiKey ?? randomText(32);
      running ??= {
        apiKey,
        served: serveSimulator({
          port: 0,
          hostname: '127.0.0.1',
          apiKey,
          ...(tokens_per_second && { tokensPerSecond: tokens_per_second }),
        }),
      };
      return { url: `${running.served.url}/v1`, apiKey };
    },
    stop: async (): Promise<void> => running?.served.stop(),
  };
}
