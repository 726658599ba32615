import type { SupervisorChannel } from './worker-fleet.ts';
import type { ToWorker } from './worker-message.ts';

/**
 * Connects this process to its supervisor. A worker whose supervisor has ended stops in good order, because
 * nothing replaces it.
 */
export function connectToSupervisor(source: NodeJS.Process): SupervisorChannel & { leave(): void } {
  const stop = () => source.kill(source.pid, 'SIGTERM');
  source.on('disconnect', stop);
  // The supervisor may have ended while this process loaded its program.
  if (!source.connected) stop();
  return {
    /** The channel would keep a worker alive that cannot start. */
    leave() {
      source.off('disconnect', stop);
      if (source.connected) source.disconnect?.();
    },
    send: (message) => void source.send?.(message),
    // The supervisor, of the same version, sends nothing else.
    onMessage: (receive) => source.on('message', (message) => receive(message as ToWorker)),
  };
}
