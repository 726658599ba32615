import { expect, test } from 'bun:test';
import type { Socket } from 'bun';
import { type Rider, UpstreamConnection } from './connection.ts';
import type { SocketOwner } from './open-socket.ts';

function startOn(requests: number) {
  const told: string[] = [];
  const connection = new UpstreamConnection('http://a', {
    stable: { put: () => void told.push('kept'), remove: () => void told.push('removed') },
    outbox: { add: () => {} },
  });
  connection.stands({
    setNoDelay: () => {},
    write: () => told.push('sent'),
    terminate: () => told.push('closed'),
  } as unknown as Socket<SocketOwner>);
  const rider: Rider = {
    bytes: 'x',
    byteLength: 1,
    head: () => {},
    body: () => {},
    end: () => void told.push('ended'),
    lost: (_, isUnheard) => void told.push(isUnheard ? 'lost unheard' : 'lost'),
  };
  const answer = Buffer.from('HTTP/1.1 204 No Content\r\n\r\n');
  const say = () => connection.data(answer);
  for (let sent = 1; sent < requests; sent++) {
    connection.start(rider);
    connection.send();
    say();
  }
  connection.start(rider);
  return { connection, told, say };
}

test('rejects bytes that arrive on a kept connection before the request is sent', () => {
  const { told, say, connection } = startOn(2);
  say();
  connection.send();
  expect(told).toEqual(['sent', 'kept', 'ended', 'closed', 'lost unheard']);
});

test('does not send a request that is canceled before its turn', () => {
  const { told, connection } = startOn(1);
  connection.abort();
  connection.send();
  expect(told).toEqual(['closed']);
});
