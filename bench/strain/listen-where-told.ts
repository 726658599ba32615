/** Serves on the port that a variable of the environment names, on this machine only. */
export function listenWhereTold(variable: string, fetch: (request: Request) => Response | Promise<Response>) {
  const port = Number(process.env[variable]);
  return Bun.serve({ hostname: '127.0.0.1', port, idleTimeout: 0, fetch, maxRequestBodySize: 2 ** 31 });
}
