import { expect, test } from 'bun:test';
import { Refusal } from '../../base/errors/refusal.ts';
import type { StreamedBody } from '../../base/forms/outgoing-form.ts';
import { partial } from '../../base/lib/testing/partial.ts';
import type { CloudSecret, ProviderCredential } from '../../settings/hosts/provider-credential.ts';
import { sampleTarget } from '../../settings/hosts/testing/sample-target.ts';
import type { HttpAnswer } from '../http-client/http-answer.ts';
import { callCloud } from './call-cloud.ts';
import type { UpstreamCall } from './upstream-call.ts';
import type { UpstreamFailure } from './upstream-failure.ts';

const secretOf = (token: string): CloudSecret => ({ kind: 'token', token, project: null });
const credential = partial<ProviderCredential>({
  current: () => secretOf('old'),
  renew: async () => secretOf('new'),
});

const streamed: StreamedBody = {
  contentType: 'multipart/form-data; boundary=b',
  byteLength: 6,
  async *pieces() {
    yield Buffer.from('abc');
    yield Buffer.from('def');
  },
};

test('sends a form again from its beginning, if the host refuses the secret', async () => {
  const sent: string[] = [];
  const call = partial<UpstreamCall>({ streamed, target: sampleTarget() });
  const refused = partial<UpstreamFailure>({ refusal: new Refusal('upstream_unavailable'), status: 401 });
  const send = async (made: UpstreamCall, secret: CloudSecret) => {
    const pieces = made.streamed!.pieces();
    let body = '';
    // The first host answers before it has read the whole body.
    do body += (await pieces.next()).value ?? '';
    while (sent.length > 0 && body.length < streamed.byteLength);
    sent.push(`${(secret as { token: string }).token} ${body}`);
    return sent.length === 1 ? refused : partial<HttpAnswer>({ status: 200 });
  };
  expect(await callCloud(call, credential, send)).toMatchObject({ status: 200 });
  expect(sent).toEqual(['old abc', 'new abcdef']);
});
