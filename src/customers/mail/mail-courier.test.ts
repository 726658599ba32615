import { expect, test } from 'bun:test';
import { type Mail, MailCourier, type MailSettings } from './mail-courier.ts';

const settings = { host: 'mail.example' } as MailSettings;
const mail: Mail = { kind: 'reset', to: 'ada@example.com', subject: 'S', text: 'http://x/#token=secret' };

function start(send: () => Promise<void>, host: string | null = settings.host) {
  const reported: unknown[] = [];
  const courier = new MailCourier({
    settings: () => ({ ...settings, host }),
    send,
    now: Date.now,
    report: (...line) => reported.push(line),
  });
  return { courier, reported };
}

test('a mail without a server is not taken', () => {
  const { courier } = start(async () => {}, null);
  expect(courier.post(mail)).toBe(false);
  expect(courier.state).toMatchObject({ isConfigured: false, waiting: 0 });
});

test('a mail that fails waits for another attempt without a trace of it in the log', async () => {
  const { courier, reported } = start(async () => {
    throw Object.assign(new Error('550 ada@example.com http://x/#token=secret'), {
      code: 'EENVELOPE',
      responseCode: 550,
    });
  });
  expect(courier.post(mail)).toBe(true);
  await Bun.sleep(0);
  expect(courier.state).toMatchObject({
    waiting: 1,
    sent: 0,
    failed: 0,
    lastFailure: { kind: 'reset', error: 'EENVELOPE 550', isFinal: false },
  });
  expect(reported).toHaveLength(1);
  expect(JSON.stringify(reported)).not.toMatch(/ada@|secret/);
  await courier.close();
  expect(courier.post(mail)).toBe(false);
});

test('mails beyond the bound are refused and counted', async () => {
  const { courier } = start(() => new Promise(() => {}));
  const taken = Array.from({ length: 1_001 }, () => courier.post(mail));
  expect(taken.filter(Boolean)).toHaveLength(1_000);
  expect(courier.state).toMatchObject({ waiting: 1_000, failed: 1 });
});

test('a mail to an address that the server refuses for good is given up at once', async () => {
  const { courier } = start(async () => {
    throw Object.assign(new Error('550'), { code: 'EENVELOPE', responseCode: 550, rejected: [mail.to] });
  });
  let givenUp = 0;
  courier.post(mail, async () => void givenUp++);
  await Bun.sleep(0);
  expect(courier.state).toMatchObject({ waiting: 0, failed: 1, lastFailure: { isFinal: true } });
  expect(givenUp).toBe(1);
  await courier.close();
});
