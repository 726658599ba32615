import { startRecordingUpstream } from '../../support/recording-upstream.ts';
import { sampleConfig } from '../../support/sample-config.ts';
import { startServer } from '../../support/start-server.ts';
import { startWebhook } from '../../support/start-webhook.ts';
import { callDashboard, PASSWORD, signInAsOperator, signInWithPassword } from '../sign-in.ts';
import { startFakeStripe, stripeSettings } from './fake-stripe.ts';

/** Starts a server with a test clock whose payments go through a stand-in for Stripe. */
export async function startBillingServer() {
  const stripe = startFakeStripe();
  const upstream = startRecordingUpstream();
  const alerts = startWebhook();
  const server = await startServer({
    config: {
      ...sampleConfig(upstream.url),
      billing: { stripe: stripeSettings(stripe), private_receivers: true },
      alerts: { webhooks: [{ url: alerts.url, secret: 'whsec_hidden-secret' }] },
    },
    environment: { TOLLGATE_TEST_CLOCK: '1' },
  });
  const operator = await signInAsOperator(server);

  /** An operator invites somebody, who signs up with the link. */
  async function join(account: string, email: string, role: string) {
    const invited = await operator.call(`/operator/accounts/${account}/invitations`, {
      body: { email, role },
    });
    const invitation = decodeURIComponent(invited.body.link.split('#token=')[1]);
    const body = { email, name: email, password: PASSWORD, invitation };
    await callDashboard(server, '/session/sign-up', { body });
    return signInWithPassword(server, email);
  }

  return {
    stripe,
    upstream,
    alerts,
    server,
    join,
    advance: (seconds: number) => server.admin('POST', '/test/clock', { advance_s: seconds }),
    async stop() {
      await server.stop();
      await Promise.all([stripe.stop(), upstream.stop(), alerts.stop()]);
    },
  };
}
