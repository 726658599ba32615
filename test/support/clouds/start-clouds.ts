import { generateKeyPairSync } from 'node:crypto';
import type { AwsCredentials } from '../../../src/settings/hosts/aws-credentials.ts';
import { serveSimulator } from '../../../src/simulator/serving/serve-simulator.ts';
import type { Json } from '../call.ts';
import { signerOf } from './signer-of.ts';

export type CloudCall = { method: string; path: string; headers: Headers; body: string };

const LIFE_S = 3_600;
const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});

const refused = (status: number) =>
  Response.json({ error: { code: status, message: 'The credential is refused.' } }, { status });

/**
 * Serves the token services of three clouds, and hosts of models that check each credential. The simulator
 * answers for the hosts, on the paths that it knows.
 */
export function startClouds() {
  const simulator = serveSimulator();
  const calls: CloudCall[] = [];
  const probes: CloudCall[] = [];
  const asked: string[] = [];
  const keys = new Map<string, AwsCredentials>();
  const state = { issued: 0, valid: new Set<string>(), answer: undefined as (() => Response) | undefined };

  const issue = (): string => {
    const token = `hidden-token-${++state.issued}-of-the-cloud`;
    state.valid.add(token);
    return token;
  };
  const issueKeys = (): Json => {
    const id = `ASIAHIDDEN${++state.issued}`;
    const given = { accessKeyId: id, secretAccessKey: 'hidden-secret', sessionToken: `hidden-session-${id}` };
    keys.set(id, given);
    state.valid.add(id);
    const Expiration = new Date(Date.now() + LIFE_S * 1_000).toISOString();
    return { AccessKeyId: id, SecretAccessKey: given.secretAccessKey, Token: given.sessionToken, Expiration };
  };

  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    development: false,
    async fetch(request) {
      const url = new URL(request.url);
      const bytes = new Uint8Array(await request.arrayBuffer());
      const { method, headers } = request;
      if (url.pathname === '/container' || url.pathname.endsWith('/token')) {
        asked.push(url.pathname);
        if (url.pathname === '/container') return Response.json(issueKeys());
        return Response.json({ access_token: issue(), expires_in: LIFE_S, token_type: 'Bearer' });
      }
      const body = new TextDecoder().decode(bytes);
      const list = url.pathname.endsWith('/v1/models') ? probes : calls;
      list.push({ method, path: url.pathname, headers, body });
      const [, cloud] = url.pathname.split('/');
      const credential =
        cloud === 'bedrock'
          ? signerOf({ method, url, headers, body: bytes }, 'bedrock', keys)
          : headers.get('authorization')?.replace('Bearer ', '');
      if (!state.valid.has(credential ?? '')) return refused(cloud === 'bedrock' ? 403 : 401);
      if (state.answer) return state.answer();
      return forward({ method, url, headers, body, bytes });
    },
  });

  /** Translates the paths of the clouds into those of the simulator. */
  async function forward({ method, url, headers, body, bytes }: ReceivedRequest): Promise<Response> {
    const { path, sent } = asSimulated(url.pathname, body);
    const type = headers.get('content-type');
    return fetch(simulator.url + path + url.search, {
      method,
      headers: {
        authorization: 'Bearer any',
        'x-api-key': 'any',
        'x-goog-api-key': 'any',
        ...(type && { 'content-type': type }),
      },
      ...(method !== 'GET' && { body: sent ?? bytes }),
    });
  }

  const url = `http://127.0.0.1:${server.port}`;
  return {
    url,
    calls,
    probes,
    asked,
    state,
    /** The text of a service account's file whose tokens this server gives. */
    serviceAccount: JSON.stringify({
      type: 'service_account',
      project_id: 'our-project',
      private_key: privateKey,
      client_email: 'gateway@our-project.iam.gserviceaccount.com',
      token_uri: `${url}/token`,
    }),
    /** The variables for Azure and AWS. */
    environment: {
      AZURE_AUTHORITY_HOST: url,
      AZURE_TENANT_ID: 'our-tenant',
      AZURE_CLIENT_ID: 'our-client',
      AZURE_CLIENT_SECRET: 'hidden-client-secret',
      AWS_CONTAINER_CREDENTIALS_FULL_URI: `${url}/container`,
    },
    /** Ends the validity of all secrets. */
    revoke: () => state.valid.clear(),
    async stop() {
      await server.stop(true);
      await simulator.stop();
    },
  };
}

type ReceivedRequest = {
  method: string;
  url: URL;
  headers: Headers;
  body: string;
  bytes: Uint8Array<ArrayBuffer>;
};

const VERTEX =
  /^\/vertex\/v1\/projects\/[^/]+\/locations\/[^/]+\/publishers\/(google|anthropic)(\/models\/.*)$/;

function asSimulated(path: string, body: string): { path: string; sent?: string } {
  const [, publisher, rest = ''] = VERTEX.exec(path) ?? [];
  if (publisher === 'google') return { path: `/v1beta${rest}` };
  if (publisher === 'anthropic') {
    const { anthropic_version: _, ...request } = JSON.parse(body);
    const model = decodeURIComponent(/\/models\/(.*):/.exec(rest)![1]!);
    return { path: '/v1/messages', sent: JSON.stringify({ ...request, model }) };
  }
  return { path: path.replace(/^\/(azure\/openai|bedrock\/openai|bedrock\/anthropic|bedrock)(?=\/)/, '') };
}
