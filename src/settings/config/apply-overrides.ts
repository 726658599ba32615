import type { Config } from './config-schema.ts';

/** The settings of the command line. They take precedence over environment, file and defaults. */
export type CommandLineOverrides = {
  port?: number | undefined;
  host?: string | undefined;
  data?: string | undefined;
  workers?: number | undefined;
};

/** Replaces the fields of a configuration that the command line sets. */
export function applyOverrides(config: Config, { port, host, data, workers }: CommandLineOverrides): Config {
  const { server, store } = config;
  return {
    ...config,
    server: {
      ...server,
      port: port ?? server.port,
      host: host ?? server.host,
      workers: workers ?? server.workers,
    },
    store: { ...store, data_dir: data ?? store.data_dir },
  };
}
