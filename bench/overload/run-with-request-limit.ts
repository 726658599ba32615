/**
 * The runtime reads its limit of concurrent requests once, at its start. With the default limit, requests
 * would wait for each other in the client, and would no longer be sent on schedule.
 */
const LIMIT_VARIABLE = 'BUN_CONFIG_MAX_HTTP_REQUESTS';
const MAX_REQUESTS = '20000';

/** Runs a program with a high limit of concurrent requests. A process without it starts the program again. */
export const runWithRequestLimit = (run: () => Promise<number>): Promise<number> =>
  process.env[LIMIT_VARIABLE] === undefined
    ? Bun.spawn([process.execPath, ...process.argv.slice(1)], {
        env: { ...process.env, [LIMIT_VARIABLE]: MAX_REQUESTS },
        stdio: ['inherit', 'inherit', 'inherit'],
      }).exited
    : run();
