import { AUTHENTICATED, authentications } from './authentications.ts';
import type { ConnectionTarget, PostgresHost } from './connection-target.ts';
import { MessageReader } from './message-reader.ts';
import { AUTHENTICATION, BACKEND_KEY, ERROR, PARAMETER_STATUS, READY } from './message-types.ts';
import { MessageWriter } from './message-writer.ts';
import { PostgresConnection } from './postgres-connection.ts';
import { readPostgresError } from './postgres-error.ts';
import { PostgresSocket } from './postgres-socket.ts';
import { Scram } from './scram.ts';

/** The answer of a server that supports TLS. */
const YES = 'S'.charCodeAt(0);

/** A connection from its socket until the server is ready for statements. */
export class StartingConnection {
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
    // A failure can come before anything waits for the connection.
    this.#ready.promise.catch(() => {});
  }

  /** Logs in. Resolves when the server is ready for statements. */
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

  /** Asks the server to stop the statement of another connection. Rejects when the server has hung up. */
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
   * Reads what the server sends. The answer to the request for TLS is a single byte. Further bytes would be
   * text that someone put before the encryption.
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
      this.fail(errorOf(error));
    }
  }

  #handle(type: number, bytes: Buffer, start: number, end: number): void {
    switch (type) {
      case AUTHENTICATION:
        this.#authenticate(bytes.readUInt32BE(start), Buffer.from(bytes.subarray(start + 4, end)));
        return;
      case PARAMETER_STATUS: {
        const [name = '', value = ''] = bytes.toString('utf8', start, end).split('\0');
        this.#parameters.set(name, value);
        return;
      }
      case BACKEND_KEY:
        this.#processId = bytes.readInt32BE(start);
        this.#secret = Buffer.from(bytes.subarray(start + 4, end));
        return;
      case ERROR:
        this.fail(readPostgresError(bytes, start, end));
        return;
      case READY:
        this.#finish();
    }
  }

  #authenticate(kind: number, body: Buffer): void {
    if (kind === AUTHENTICATED) return;
    const answer = authentications.get(kind);
    if (!answer) {
      this.fail(new Error(`the server wants the authentication method ${kind}, which is not supported`));
      return;
    }
    const { user, password } = this.#target;
    this.#answer(() => answer({ user, password, body, scram: this.#scram, writer: this.#writer }));
  }

  /** Sends what is written, at once unless it takes a promise. */
  #answer(write: () => Promise<void> | void): void {
    const failed = (error: unknown) => this.fail(errorOf(error));
    try {
      const later = write();
      if (later) later.then(() => this.#flush(), failed);
      else this.#flush();
    } catch (error) {
      failed(error);
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

export const errorOf = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));
