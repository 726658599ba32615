import { expect, test } from 'bun:test';
import type { Socket } from 'bun';
import { partial } from '../../base/lib/testing/partial.ts';
import type { SocketOwner } from './open-socket.ts';
import { type ConnectionCall, UpstreamConnection } from './upstream-connection.ts';

function startOn(requests: number) {
  const events: string[] = [];
  const connection = new UpstreamConnection('http://a', {
    idle: { put: () => void events.push('kept'), remove: () => void events.push('removed') },
    outbox: { add: () => {} },
  });
  connection.opened(
    partial<Socket<SocketOwner>>({
      setNoDelay: () => true,
      write: () => events.push('sent'),
      terminate: () => void events.push('closed'),
    }),
  );
  const call: ConnectionCall = {
    bytes: 'x',
    byteLength: 1,
    onHead: () => {},
    onBody: () => {},
    onEnd: () => void events.push('ended'),
    onLost: (_, isUnheard) => void events.push(isUnheard ? 'lost unheard' : 'lost'),
  };
  const answer = Buffer.from('HTTP/1.1 204 No Content\r\n\r\n');
  const say = () => connection.data(answer);
  for (let sent = 1; sent < requests; sent++) {
    connection.start(call);
    connection.send();
    say();
  }
  connection.start(call);
  return { connection, events, say };
}

test('rejects bytes that arrive on a kept connection before the request is sent', () => {
  const { events, say, connection } = startOn(2);
  say();
  connection.send();
  expect(events).toEqual(['sent', 'kept', 'ended', 'closed', 'lost unheard']);
});

test('does not send a request that is canceled before its turn', () => {
  const { events, connection } = startOn(1);
  connection.abort();
  connection.send();
  expect(events).toEqual(['closed']);
});
