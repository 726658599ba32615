import { isIP } from 'node:net';
import { codeOfError } from '../../../base/lib/error-code.ts';
import { lookUpAddresses } from '../../../upstream/http-client/look-up-addresses.ts';
import { ConnectFailure } from './connect-failure.ts';
import { type ConnectionTarget, type PostgresHost, placeOf } from './connection-url.ts';
import { MessageReader } from './message-reader.ts';
import { MessageWriter } from './message-writer.ts';
import { PostgresConnection } from './postgres-connection.ts';
import { readPostgresError } from './postgres-error.ts';
import { PostgresSocket } from './postgres-socket.ts';
import { Scram } from './scram.ts';

export type OpenOptions = {
  timeoutMs: number;
  /** A standby is good enough. */
  allowsReadOnly?: boolean;
};

/** Connects to the first host that accepts writes. The time is the limit for each host. */
export async function openConnection(
  target: ConnectionTarget,
  options: OpenOptions,
): Promise<PostgresConnection> {
  const timeoutMs = Math.min(options.timeoutMs, target.connectTimeoutMs ?? Number.POSITIVE_INFINITY);
  let failure: unknown;
  for (const host of target.hosts) {
    try {
      return await openNamed(host, target, { ...options, timeoutMs });
    } catch (error) {
      failure = naming(error, host);
    }
  }
  throw failure;
}

/** Tries the addresses that the host has now, since the runtime remembers those of an earlier connection. */
async function openNamed(
  host: PostgresHost,
  target: ConnectionTarget,
  options: OpenOptions,
): Promise<PostgresConnection> {
  const addresses = host.host.startsWith('/') ? [host.host] : await lookUp(host, options.timeoutMs);
  const timeoutMs = options.timeoutMs / Math.max(1, addresses.length);
  let failure: unknown = new Error('the host has no address');
  for (const address of addresses) {
    try {
      return await openHost({ ...host, address }, target, { ...options, timeoutMs });
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

async function lookUp({ host }: PostgresHost, timeoutMs: number): Promise<readonly string[]> {
  if (isIP(host) !== 0) return [host];
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(lateError(timeoutMs, 'the name server')), timeoutMs);
  return Promise.race([lookUpAddresses(host), late]).finally(() => clearTimeout(timer));
}

const lateError = (timeoutMs: number, party: string): Error =>
  Object.assign(new Error(`${party} did not answer within ${timeoutMs / 1_000} s`), {
    code: 'CONNECT_TIMEOUT',
  });

/**
 * Asks the server to stop the statement that the connection runs.
 * It does so on a connection of its own, which says nothing back.
 */
export async function cancelStatement(
  target: ConnectionTarget,
  { host, connection, timeoutMs }: { host: PostgresHost; connection: PostgresConnection; timeoutMs: number },
): Promise<void> {
  const starting = new Starting(host, { ...target, hosts: [host] });
  const timer = setTimeout(() => starting.fail(new Error('the server did not answer')), timeoutMs);
  // The caller has given the statement up, whether it ends or not.
  await starting.cancel(connection).catch(() => {});
  clearTimeout(timer);
  starting.fail(new Error('done'));
}

async function openHost(
  host: PostgresHost,
  target: ConnectionTarget,
  { timeoutMs, allowsReadOnly = false }: OpenOptions,
): Promise<PostgresConnection> {
  const starting = new Starting(host, target);
  const late = lateError(timeoutMs, 'the server');
  const timer = setTimeout(() => starting.fail(late), timeoutMs);
  try {
    const connection = await starting.run();
    if (allowsReadOnly || !isReadOnly(connection)) return connection;
    connection.end();
    throw Object.assign(new Error('the server is a standby, which refuses writes'), { code: '25006' });
  } finally {
    clearTimeout(timer);
  }
}

const isReadOnly = ({ facts: { parameters } }: PostgresConnection): boolean =>
  parameters.get('in_hot_standby') === 'on' || parameters.get('default_transaction_read_only') === 'on';

function naming(error: unknown, host: PostgresHost): ConnectFailure {
  const { message } = error as { message?: string };
  const place = placeOf(host);
  const text = message?.includes(place) ? message : `${message ?? error} (${place})`;
  return new ConnectFailure(text, codeOfError(error), error);
}

/** A connection from its socket until the server is ready for statements. */
class Starting {
  readonly #host: PostgresHost;
  readonly #target: ConnectionTarget;
  readonly #writer = new MessageWriter();
  readonly #reader = new MessageReader();
  readonly #parameters = new Map<string, string>();
  readonly #ready = Promise.withResolvers<PostgresConnection>();
  readonly #scram: Scram;
  #socket: PostgresSocket | undefined;
  #processId = 0;
  #secret: Buffer = Buffer.alloc(4);
  #failure: Error | undefined;
  #tlsAnswer: PromiseWithResolvers<number> | undefined;

  constructor(host: PostgresHost, target: ConnectionTarget) {
    this.#host = host;
    this.#target = target;
    this.#scram = new Scram(target.password);
    // A failure before anybody waits is not unhandled.
    this.#ready.promise.catch(() => {});
  }

  async run(): Promise<PostgresConnection> {
    await this.#open();
    const { user, database, applicationName, options } = this.#target;
    this.#writer.startup({
      user,
      database,
      application_name: applicationName,
      client_encoding: 'UTF8',
      ...(options && { options }),
    });
    this.#flush();
    return this.#ready.promise;
  }

  async cancel({ facts }: PostgresConnection): Promise<void> {
    await this.#open();
    this.#writer.cancelRequest(facts.processId, facts.secret);
    this.#flush();
    await this.#ready.promise;
  }

  fail(error: Error): void {
    if (this.#failure) return;
    this.#failure = error;
    this.#tlsAnswer?.reject(error);
    this.#ready.reject(error);
    this.#socket?.destroy();
  }

  async #open(): Promise<void> {
    const events = { data: (bytes: Buffer) => this.#read(bytes), closed: (error: Error) => this.fail(error) };
    const opening = PostgresSocket.open(this.#host, events).then((socket) => {
      this.#socket = socket;
      if (this.#failure) socket.destroy();
    });
    await Promise.race([opening, this.#ready.promise]);
    if (this.#failure) throw this.#failure;
    if (this.#target.sslMode !== 'disable' && !this.#host.host.startsWith('/'))
      await Promise.race([this.#encrypt(), this.#ready.promise]);
  }

  async #encrypt(): Promise<void> {
    this.#tlsAnswer = Promise.withResolvers<number>();
    this.#writer.sslRequest();
    this.#flush();
    const answer = await this.#tlsAnswer.promise;
    this.#tlsAnswer = undefined;
    if (answer === YES) await this.#socket?.secure(this.#target);
    else if (this.#target.sslMode !== 'prefer') throw new Error('the server does not support TLS');
  }

  #flush(): void {
    this.#socket?.write(this.#writer.take());
  }

  /**
   * The answer to the request for TLS is a single byte.
   * More would be text that someone put before the encryption.
   */
  #read(bytes: Buffer): void {
    if (!this.#tlsAnswer) this.#readMessages(bytes);
    else if (bytes.length === 1) this.#tlsAnswer.resolve(bytes[0] ?? 0);
    else this.fail(new Error('the server answered the request for TLS with too many bytes'));
  }

  #readMessages(bytes: Buffer): void {
    try {
      this.#reader.read(bytes, (type, message, start, end) => this.#handle(type, message, start, end));
    } catch (error) {
      this.fail(error as Error);
    }
  }

  #handle(type: number, bytes: Buffer, start: number, end: number): void {
    switch (String.fromCharCode(type)) {
      case 'R':
        this.#authenticate(bytes.readUInt32BE(start), Buffer.from(bytes.subarray(start + 4, end)));
        return;
      case 'S': {
        const [name = '', value = ''] = bytes.toString('utf8', start, end).split('\0');
        this.#parameters.set(name, value);
        return;
      }
      case 'K':
        this.#processId = bytes.readInt32BE(start);
        this.#secret = Buffer.from(bytes.subarray(start + 4, end));
        return;
      case 'E':
        this.fail(readPostgresError(bytes, start, end));
        return;
      case 'Z':
        this.#finish();
    }
  }

  #authenticate(kind: number, body: Buffer): void {
    const step = AUTHENTICATIONS[kind];
    if (kind === AUTHENTICATED) return;
    if (!step) {
      this.fail(new Error(`the server wants the authentication method ${kind}, which is not supported`));
      return;
    }
    const { user, password } = this.#target;
    const order = { user, password, body, scram: this.#scram, writer: this.#writer };
    try {
      const later = step(order);
      if (later)
        later.then(
          () => this.#flush(),
          (error) => this.fail(error),
        );
      else this.#flush();
    } catch (error) {
      this.fail(error as Error);
    }
  }

  #finish(): void {
    if (!this.#socket || this.#failure) return;
    const facts = { parameters: this.#parameters, processId: this.#processId, secret: this.#secret };
    this.#ready.resolve(
      new PostgresConnection({ socket: this.#socket, facts, prepares: this.#target.prepare }),
    );
  }
}

const YES = 'S'.charCodeAt(0);
const AUTHENTICATED = 0;

type AuthenticationStep = {
  user: string;
  password: string;
  body: Buffer;
  scram: Scram;
  writer: MessageWriter;
};

const md5 = (...parts: (string | Buffer)[]): string => {
  const hash = new Bun.CryptoHasher('md5');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
};

/** Requests by the number of the server's message. */
const AUTHENTICATIONS: Readonly<Record<number, (step: AuthenticationStep) => Promise<void> | void>> = {
  3: ({ password, writer }) => writer.password(password),
  5: ({ user, password, body, writer }) =>
    writer.password(`md5${md5(md5(password, user), body.subarray(0, 4))}`),
  10: ({ body, scram, writer }) => {
    if (!body.toString('latin1').split('\0').includes('SCRAM-SHA-256'))
      throw new Error('the server offers no authentication with SCRAM-SHA-256');
    writer.saslInitial('SCRAM-SHA-256', scram.first());
  },
  11: async ({ body, scram, writer }) => writer.saslResponse(await scram.final(body.toString('utf8'))),
  12: ({ body, scram }) => scram.verify(body.toString('utf8')),
};
