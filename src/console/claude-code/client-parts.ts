import type { Refusal } from '../../base/errors/refusal.ts';
import type { ClientTokens } from '../../customers/device-sign-in/client-tokens.ts';
import type { DeviceSignIns } from '../../customers/device-sign-in/device-sign-ins.ts';
import type { AttemptLimits } from '../../customers/people/attempt-limits.ts';
import type { PeopleStore } from '../../customers/people/people-store.ts';
import type { RawBodyReader } from '../../edge/http/create-raw-body-reader.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import type { Route } from '../../edge/http/route.ts';
import type { Authenticator } from '../../money/auth/authenticator.ts';
import type { TelemetryRelay } from '../../watch/telemetry/telemetry-relay.ts';

/** The parts that the routes for signed-in clients use. */
export type ClientParts = {
  signIns: DeviceSignIns;
  tokens: ClientTokens;
  attempts: AttemptLimits;
  store: PeopleStore;
  authenticator: Authenticator;
  readBytes: RawBodyReader;
  relay: TelemetryRelay;
  /** Counts a request that has no key, or refuses it. */
  countNetwork(exchange: Exchange): Refusal | undefined;
};

/** A route for signed-in clients, before it is known whether sign-ins are allowed. */
export type ClientRoute = Omit<Route, 'handle'> & {
  handle(exchange: Exchange, parts: ClientParts): ReturnType<Route['handle']>;
};
