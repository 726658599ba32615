import { AWS_FRAMING } from '../model/aws-framing.ts';
import { bearerOf } from '../model/bearer-of.ts';
import { namedEvent } from '../model/stream-event.ts';
import type { Failure, SimulatorAnswer, SimulatorExchange, SimulatorWire } from '../model/wire.ts';
import { readBedrockConverse } from './read-bedrock-converse.ts';
import { writeConverseBody, writeConverseEvents } from './write-bedrock-converse.ts';

const EXCEPTIONS: Record<number, string> = {
  400: 'ValidationException',
  401: 'UnrecognizedClientException',
  403: 'AccessDeniedException',
  404: 'ResourceNotFoundException',
  408: 'ModelTimeoutException',
  424: 'ModelErrorException',
  429: 'ThrottlingException',
  500: 'InternalServerException',
  503: 'ServiceUnavailableException',
};

const exceptionOf = ({ status }: Failure): string =>
  EXCEPTIONS[status] ?? EXCEPTIONS[status < 500 ? 400 : 500]!;

function answer(exchange: SimulatorExchange): SimulatorAnswer {
  const draft = { exchange, reply: exchange.plan(readBedrockConverse(exchange.body)) };
  return {
    streamed: exchange.action === 'converse-stream',
    body: () => writeConverseBody(draft),
    events: () => writeConverseEvents(draft),
  };
}

/** Returns the bearer key or the key id of a signature. The signature is not verified. */
const credential = (headers: Headers): string | undefined =>
  bearerOf(headers) ?? /Credential=([^/,\s]+)/.exec(headers.get('authorization') ?? '')?.[1];

const camel = (name: string): string => name[0]!.toLowerCase() + name.slice(1);

export const BEDROCK_CONVERSE: SimulatorWire = {
  id: 'bedrock-converse',
  path: /^\/model\/(?<model>.+)\/(?<action>converse|converse-stream)$/,
  framing: AWS_FRAMING,
  credential,
  answer,
  failureBody: ({ message }) => ({ message }),
  failureHeaders: (failure) => ({ 'x-amzn-errortype': exceptionOf(failure) }),
  failureEvents: (failure) => [namedEvent(camel(exceptionOf(failure)), { message: failure.message })],
};
