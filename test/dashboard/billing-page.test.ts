import { afterAll, expect } from 'bun:test';
import { startRecordingUpstream } from '../support/recording-upstream.ts';
import { sampleConfig } from '../support/sample-config.ts';
import { startServer } from '../support/start-server.ts';
import { callDashboard, PASSWORD, signInAsOperator, signInWithPassword } from './sign-in.ts';
import { checkPage } from './support/check-page.ts';
import { startFakeStripe, stripeSettings } from './support/fake-stripe.ts';
import { looks } from './support/looks.ts';
import { browserTest, expectSound, fullBrowserTest, untilShown, useBrowser } from './support/use-browser.ts';

const stripe = startFakeStripe();
const upstream = startRecordingUpstream();
const server = await startServer({
  config: {
    ...sampleConfig(upstream.url),
    billing: { stripe: stripeSettings(stripe), private_receivers: true },
  },
});
afterAll(async () => {
  await server.stop();
  await Promise.all([stripe.stop(), upstream.stop()]);
});
const { openPage } = useBrowser(server);
const operator = await signInAsOperator(server);
const own = await server.createAccount('pro');
const email = 'owner@ours.example';
const invited = await operator.call(`/operator/accounts/${own}/invitations`, {
  body: { email, role: 'owner' },
});
const invitation = decodeURIComponent(invited.body.link.split('#token=')[1]);
await callDashboard(server, '/session/sign-up', {
  body: { email, name: 'Ada', password: PASSWORD, invitation },
});
const owner = await signInWithPassword(server, email);
const { key } = await server.createKey('pro', { account: own, payg: true });
const billing = `/organizations/${own}/billing`;

/** Purchases, grants and usage, so that no list is empty. */
async function seed(): Promise<string> {
  const { body } = await owner.call(`${billing}/purchases`, { body: { usd: 20 } });
  const session = stripe.pay(body.url);
  await owner.call(`${billing}/confirm`, { body: { checkout_id: session.id } });
  await server.admin('POST', `/accounts/${own}/grants`, { credits: 500, reason: 'Sorry for the outage' });
  for (let index = 0; index < 3; index++) await server.chat(key, 'test-small', { max_tokens: 1 });
  await server.admin('POST', `/accounts/${own}/adjustments`, {
    credits: -250,
    balance: 'purchased',
    reason: 'Correction of an invoice',
  });
  stripe.add('in', {
    number: 'A-0001',
    status: 'paid',
    currency: 'usd',
    total: 2_000,
    customer: session.customer,
    period_start: 1_790_000_000,
    period_end: 1_792_000_000,
    subscription: null,
    hosted_invoice_url: 'https://invoice.stripe.test/1',
    invoice_pdf: 'https://invoice.stripe.test/1.pdf',
    lines: { data: [{ description: '10,000 credits', amount: 2_000 }] },
  });
  return session.id;
}
const checkout = await seed();
const tabs = ['', '?tab=entries', '?tab=invoices', '?tab=reload', '?tab=alerts'];

for (const [name, look] of looks)
  fullBrowserTest(`every part of the page is sound and accessible: ${name}`, async () => {
    const page = await openPage('/billing', { person: owner, ...look });
    for (const tab of tabs) {
      await page.goto(`/billing${tab}`);
      await untilShown(page);
      await checkPage(page, `billing-${tab.split('=')[1] ?? 'plan'}-${name}`);
    }
    page.release();
  });

fullBrowserTest('an owner downgrades, and takes it back', async () => {
  const page = await openPage('/billing', { person: owner });
  await page.getByRole('button', { name: 'Downgrade to Starter' }).click();
  await page.getByRole('button', { name: 'Confirm Starter' }).click();
  await page.getByText('Starter follows on').waitFor();
  expect((await owner.call(billing)).body.pending_plan).toBe('starter');
  await page.getByRole('button', { name: 'Keep Pro' }).click();
  await page.getByRole('button', { name: 'Confirm Pro' }).click();
  await page.getByText('Starter follows on').waitFor({ state: 'detached' });
  expect((await owner.call(billing)).body.pending_plan).toBeNull();
  await expectSound(page);
});

browserTest('a purchase leads to the payment, and a wrong amount is explained', async () => {
  const page = await openPage('/billing', { person: owner });
  await page.route('https://checkout.stripe.test/**', (route) => route.fulfill({ body: 'The payment page' }));
  await page.getByLabel('Amount').fill('50');
  stripe.state.isAway = true;
  await page.getByRole('button', { name: 'Continue to payment' }).click();
  await page.getByText('The payment service cannot be used at the moment.').waitFor();
  stripe.state.isAway = false;
  await page.getByRole('button', { name: 'Continue to payment' }).click();
  await page.getByText('The payment page').waitFor();
});

browserTest('a browser that returns from a payment says so once', async () => {
  const page = await openPage(`/billing?checkout=${checkout}`, { person: owner });
  await page.getByText('The payment has arrived.').waitFor();
  expect(new URL(page.url()).search).toBe('');
  await expectSound(page);
});

fullBrowserTest('an entry opens from its line, and its address survives a reload', async () => {
  const page = await openPage('/billing?tab=entries', { person: owner });
  await page.getByRole('link', { name: /^Payment pi_/ }).click();
  await page.getByText('Number in the ledger').waitFor();
  await page.reload();
  await untilShown(page);
  await page.getByText('Number in the ledger').waitFor();
  await checkPage(page);
});

fullBrowserTest('a line of usage leads to its requests', async () => {
  const page = await openPage('/billing?tab=entries', { person: owner });
  await page.getByRole('link', { name: '3 requests' }).click();
  await page.waitForURL('**/requests?since=*');
  await untilShown(page);
  await page.getByText('test-small').first().waitFor();
});

fullBrowserTest('the secret of a webhook is shown once', async () => {
  const page = await openPage('/billing?tab=alerts', { person: owner });
  await page.getByLabel('Webhook').fill('http://127.0.0.1:9/hook');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('whsec_').waitFor();
  await page.reload();
  await untilShown(page);
  expect(await page.getByText('whsec_').count()).toBe(0);
});
