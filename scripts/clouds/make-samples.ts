// Prints requests and assertions as the gateway signs them, for `scripts/clouds/compare.py`.
import { createHash, X509Certificate } from 'node:crypto';
import { signPs256, signRs256 } from '../../src/upstream/credentials/sign-assertion.ts';
import { rsaCertificate } from '../../test/support/rsa-certificate.ts';
import { readChains } from './read-chains.ts';
import { credentials, signRequests } from './signed-requests.ts';

const now = new Date();
const seconds = Math.floor(now.getTime() / 1_000);
const claims = { iss: 'x@y', scope: 's', aud: 'https://audience.example', iat: seconds, exp: seconds + 600 };
const thumbprint = createHash('sha256')
  .update(new X509Certificate(rsaCertificate.cert).raw)
  .digest('base64url');
console.log(
  JSON.stringify({
    credentials,
    requests: signRequests(now),
    chains: await readChains(now),
    certificate: rsaCertificate.cert,
    thumbprint,
    google: signRs256({ header: { kid: 'one' }, claims, privateKey: rsaCertificate.key }),
    azure: signPs256({ header: { 'x5t#S256': thumbprint }, claims, privateKey: rsaCertificate.key }),
    pem: rsaCertificate.key + rsaCertificate.cert,
  }),
);
