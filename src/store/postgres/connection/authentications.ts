import type { MessageWriter } from './message-writer.ts';
import type { Scram } from './scram.ts';

/** The number of the message with which the server accepts the login. */
export const AUTHENTICATED = 0;

/** The numbers of the server's requests for authentication. */
const PASSWORD = 3;
const MD5_PASSWORD = 5;
const SASL = 10;
const SASL_CONTINUE = 11;
const SASL_FINAL = 12;

/** The only SASL mechanism that is supported. */
const SCRAM = 'SCRAM-SHA-256';

/** A message of the server that asks for authentication, and what an answer needs. */
export type AuthenticationStep = {
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

const writeMd5 = ({ user, password, body, writer }: AuthenticationStep): void => {
  const salt = body.subarray(0, 4);
  writer.password(`md5${md5(md5(password, user), salt)}`);
};

function writeScramStart({ body, scram, writer }: AuthenticationStep): void {
  const mechanisms = body.toString('latin1').split('\0');
  if (!mechanisms.includes(SCRAM)) throw new Error(`the server offers no authentication with ${SCRAM}`);
  writer.saslInitial(SCRAM, scram.first());
}

/** Writes the answer to a request for authentication. The last message of SCRAM is checked alone. */
type WriteAnswer = (step: AuthenticationStep) => Promise<void> | void;

/** The answers to the requests, by their number. */
export const authentications: ReadonlyMap<number, WriteAnswer> = new Map<number, WriteAnswer>([
  [PASSWORD, ({ password, writer }) => writer.password(password)],
  [MD5_PASSWORD, writeMd5],
  [SASL, writeScramStart],
  [
    SASL_CONTINUE,
    async ({ body, scram, writer }) => writer.saslResponse(await scram.final(body.toString('utf8'))),
  ],
  [SASL_FINAL, ({ body, scram }) => scram.verify(body.toString('utf8'))],
]);
