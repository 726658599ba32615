import { waitFor } from './wait-for.ts';

export type ReceivedMail = { to: string; subject: string; text: string };

type Talk = { rest: string; to: string; isData: boolean };

/** Starts a mail server that keeps what it gets. `refuse` makes it refuse every mail. */
export function startSmtp() {
  const received: ReceivedMail[] = [];
  const state = { refuses: false };
  const talks = new WeakMap<object, Talk>();
  const listener = Bun.listen({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      open(socket) {
        talks.set(socket, { rest: '', to: '', isData: false });
        socket.write('220 stand-in\r\n');
      },
      data(socket, bytes) {
        const talk = talks.get(socket)!;
        talk.rest += bytes.toString('utf8');
        for (;;) {
          const end = talk.rest.indexOf(talk.isData ? '\r\n.\r\n' : '\r\n');
          if (end < 0) return;
          const part = talk.rest.slice(0, end);
          talk.rest = talk.rest.slice(end + (talk.isData ? 5 : 2));
          socket.write(`${answerTo(talk, part)}\r\n`);
          if (part === 'QUIT') socket.end();
        }
      },
    },
  });

  function answerTo(talk: Talk, part: string): string {
    if (talk.isData) {
      talk.isData = false;
      received.push(mailOf(talk.to, part));
      return '250 kept';
    }
    const [verb] = part.split(/[ :]/);
    if (verb === 'RCPT') talk.to = /<(.*)>/.exec(part)?.[1] ?? '';
    if (verb === 'RCPT' && state.refuses) return '451 not now';
    if (verb !== 'DATA') return '250 fine';
    talk.isData = true;
    return '354 go on';
  }

  return {
    port: listener.port,
    received,
    refuse: (refuses: boolean) => {
      state.refuses = refuses;
    },
    /** Waits for at least that many mails to an address. Returns the latest one. */
    async mailTo(address: string, count = 1): Promise<ReceivedMail> {
      const own = () => received.filter(({ to }) => to === address);
      await waitFor(() => own().length >= count);
      return own().at(-1)!;
    },
    stop: () => listener.stop(true),
  };
}

function mailOf(to: string, data: string): ReceivedMail {
  const [head = '', ...body] = data.split('\r\n\r\n');
  const subject = /^Subject: (.*(?:\r\n[ \t].*)*)/im.exec(head)?.[1] ?? '';
  const raw = body.join('\r\n\r\n');
  const isQuoted = /^Content-Transfer-Encoding: quoted-printable/im.test(head);
  return { to, subject: subject.replace(/\r\n[ \t]/g, ' '), text: isQuoted ? unquoted(raw) : raw };
}

const unquoted = (text: string): string =>
  text
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));

/** Returns the token in the fragment of a mail's link. */
export const tokenIn = ({ text }: Pick<ReceivedMail, 'text'>): string =>
  decodeURIComponent(/#token=(\S+)/.exec(text)![1]!);
