import { expect, test } from 'bun:test';
import { isPrivateHost, isPrivateName } from './private-host.ts';

const hostOf = (authority: string): string => new URL(`http://${authority}/`).hostname;

test('distinguishes names of a private network from names of the internet', () => {
  for (const name of [
    'localhost',
    'a.localhost',
    'db.internal',
    'printer.local',
    'metadata',
    'nas.lan',
    'a.home.arpa',
    'localhost.',
  ])
    expect({ name, isPrivateName: isPrivateName(hostOf(name)) }).toEqual({ name, isPrivateName: true });
  for (const name of ['a.example', 'local.example', 'internal.example.', 'notlocal.example'])
    expect({ name, isPrivateName: isPrivateName(hostOf(name)) }).toEqual({ name, isPrivateName: false });
});

test('treats only addresses of this machine and of private networks as private', () => {
  const privateHosts = [
    '127.9.9.9',
    '10.1.2.3',
    '172.31.0.1',
    '192.168.0.1',
    '169.254.1.1',
    '100.64.0.1',
    '0.0.0.0',
    '192.0.0.192',
    '198.18.0.1',
    '198.19.255.255',
    '224.0.0.1',
    '239.1.1.1',
    '240.0.0.1',
    '255.255.255.255',
    '[64:ff9b::a9fe:a9fe]',
    '[64:ff9b::10.0.0.1]',
    '[64:ff9b:1::808:808]',
    '[2002:7f00:1::]',
    '[::127.0.0.1]',
    '[::ffff:0:127.0.0.1]',
    '[fec0::1]',
    '[100::1]',
    '[2001:0:7f00:1::1]',
    '[2002:c0a8:1::8.8.8.8]',
    '[ff02::1]',
  ];
  for (const authority of [
    ...privateHosts,
    '[::]',
    '[::1]',
    '[fd00::1]',
    '[fe80::1]',
    '[::ffff:192.168.0.1]',
    'localhost',
  ])
    expect({ authority, isPrivateHost: isPrivateHost(hostOf(authority)) }).toEqual({
      authority,
      isPrivateHost: true,
    });
  const outside = ['192.0.1.1', '198.20.0.1', '223.255.255.255', '[64:ff9b::808:808]', '[2002:808:808::1]'];
  for (const authority of [
    ...outside,
    '8.8.8.8',
    '172.32.0.1',
    '[2606:4700::1]',
    '[::ffff:8.8.8.8]',
    'api.example.com',
  ])
    expect({ authority, isPrivateHost: isPrivateHost(hostOf(authority)) }).toEqual({
      authority,
      isPrivateHost: false,
    });
});
