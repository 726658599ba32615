import type { MessageWriter } from './message-writer.ts';
import type { Scram } from './scram.ts';

/** The number of the message with which the server accepts the login. */
export const AUTHENTICATED = 0;

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

/** The answers to requests for authentication, by the number of the server's message. */
export const authentications: Readonly<Record<number, (step: AuthenticationStep) => Promise<void> | void>> = {
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
