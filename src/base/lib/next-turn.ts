/** Resolves in the next turn of the event loop, after pending events. Events of sockets are served before. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
