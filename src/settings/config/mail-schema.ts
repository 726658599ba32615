import { Type } from '../../base/schema/type.ts';
import { namePatterns } from './name-patterns.ts';
import { choice, nullable, section } from './schema-parts.ts';

export const MailSchema = section(
  {
    host: nullable(Type.String(namePatterns.host), {
      description: 'SMTP server. `null` means that no mail is sent, and operators hand links over.',
    }),
    port: Type.Integer({
      minimum: 1,
      maximum: 65_535,
      default: 587,
      description: 'Port of the SMTP server.',
    }),
    tls: choice(['starttls', 'implicit', 'none'], {
      default: 'starttls',
      description:
        'starttls: the connection must change to TLS. implicit: TLS from the start, usually on port 465. none: no TLS, for a server on this machine.',
    }),
    user: nullable(Type.String({ minLength: 1 }), { description: 'User at the SMTP server.' }),
    password: nullable(Type.String({ minLength: 1 }), { description: 'Password at the SMTP server.' }),
    from: nullable(Type.String({ minLength: 3, maxLength: 320 }), {
      description: 'Sender, for example `Gateway <gateway@example.com>`. Required with `host`.',
    }),
  },
  { description: 'Mail over SMTP.' },
);
