import type { SendMail } from './mail-courier.ts';

const TIMEOUT_MS = 15_000;

/** Sends a mail to the SMTP server of the configuration. The package is loaded with the first mail. */
export const sendOverSmtp: SendMail = async (settings, { to, subject, text }) => {
  const { createTransport } = await import('nodemailer');
  const { host, port, tls, user, password, from } = settings;
  const transport = createTransport({
    host: host ?? '',
    port,
    secure: tls === 'implicit',
    requireTLS: tls === 'starttls',
    ignoreTLS: tls === 'none',
    ...(user !== null && { auth: { user, pass: password ?? '' } }),
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    // A text would be split at commas, and so reach several addresses.
    await transport.sendMail({ from: from ?? '', to: { name: '', address: to }, subject, text });
  } finally {
    transport.close();
  }
};
