/** Serves on the local port in an environment variable. */
export function listenOnPortOf(variable: string, fetch: (request: Request) => Response | Promise<Response>) {
  const port = Number(process.env[variable]);
  return Bun.serve({ hostname: '127.0.0.1', port, idleTimeout: 0, fetch, maxRequestBodySize: 2 ** 31 });
}
