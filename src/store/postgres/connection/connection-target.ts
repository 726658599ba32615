/**
 * `prefer` and `require` encrypt without a check of the certificate, as libpq does without a root
 * certificate.
 */
export const SSL_MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;
export type SslMode = (typeof SSL_MODES)[number];

/**
 * The address at which one server listens. A host that begins with a slash is the directory of a Unix socket.
 */
export type PostgresHost = {
  host: string;
  port: number;
  /** An address of the host. */
  address?: string;
};

export type ClientCertificate = { cert: string; key: string; passphrase: string | undefined };

export type ConnectionTarget = {
  /** The hosts are tried in turn until one accepts writes. */
  hosts: readonly PostgresHost[];
  user: string;
  password: string;
  database: string;
  sslMode: SslMode;
  /** A file of certificates, one of which must have signed the server's certificate. */
  sslRootCert: string | undefined;
  /**
   * The files of the certificate that the gateway presents, and of its key.
   * `undefined` means that it presents none.
   */
  client: ClientCertificate | undefined;
  applicationName: string;
  /** Arguments for the server, such as `-c work_mem=8MB`. */
  options: string | undefined;
  /** Lowers the limit of the gateway for the time until a host has answered. `undefined` keeps the limit. */
  connectTimeoutMs: number | undefined;
  /** False if statements are parsed each time, as PgBouncer before version 1.21 needs. */
  prepare: boolean;
};

/** Returns the place of a host, for error messages. */
export const placeOf = ({ host, port }: PostgresHost): string =>
  host.startsWith('/') ? `${host}/.s.PGSQL.${port}` : `${host.includes(':') ? `[${host}]` : host}:${port}`;
